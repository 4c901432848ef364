// The effect of an act, as both languages say it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAction, parsePile } from '../../../web_client/src/contract/notation.js';
import { GAMES } from '../../../web_client/src/contract/protocol.js';
import german from '../../../web_client/src/strings/de/race.js';
import english from '../../../web_client/src/strings/en/race.js';

const RANKS = 'KQJT98765432A';
/** Return the cards of a run. @param {string} _ as `K-2S` @param {string} high @param {string} low @param {string} suit */
function run(_, high, low, suit) {
  const ranks = RANKS.slice(RANKS.indexOf(high), RANKS.indexOf(low) + 1);
  return Array.from(ranks, (rank) => rank + suit).join(' ');
}

/** Return the piles of a game from a text such as `t0 [3] 9H, t2 K-2S`. @param {string} text @param {string} [game] */
function table(text, game = 'spider-4') {
  const all = text.replace(/(\w)-(\w)(\w)/g, run).split(', ');
  const piles = new Map(all.map((pile) => pile.split(/ (.*)/)));
  const read = (spec) => parsePile(spec.id, piles.get(spec.id) ?? '');
  return GAMES[game].piles.map((spec) => ({ ...read(spec), ...spec }));
}

/** Each act with its game, the piles before and after it, and the words of both languages. */
const ACTS = `
# a move that completes a suit names its cards and the suit, although they are gone: spider-4
t0x11-t2: t0 [3] 9H J-AS, t2 K-QS, f0 K-AH → t0 [3] 9H, f0 K-AH, f1 K-AS
J–A to column 3: spades complete, 2 of 8.
Bube–A auf Stapel 3: Pik fertig, 2 von 8.
# a card beneath the removed suit does not stand for the moved ones: spider-4
t0x1-t2: t0 [3] AS, t2 [2] 6C K-2S → t0 [2] 4D, t2 [2] 6C, f0 K-AS
A♠ to column 3: spades complete, 1 of 8; turned 4♦.
Pik-Ass auf Stapel 3: Pik fertig, 1 von 8; Karo 4 aufgedeckt.
# a suit that stays on the table is complete: spider-4
t0x2-t2: t0 2S AS, t2 K-3S, t5 K-AH, f0 K-AH → t2 K-AS, t5 K-AH, f0 K-AH
2♠ A♠ moved to column 3. Spades complete, 3 of 8.
Pik 2, Pik-Ass auf Stapel 3 gelegt. Pik fertig, 3 von 8.
# its removal is announced later: spider-4
remove t2: t2 K-AS, t5 K-AH, f0 K-AH → t5 K-AH, f0 K-AH, f1 K-AS
Complete suit removed: spades, 2 of 8.
Vollständige Farbe abgelegt: Pik, 2 von 8.
# a complete suit that moves as a whole is not complete again: spider-4
t0x13-t2: t0 K-AS → t2 K-AS
K♠ to A♠ moved to column 3.
Pik-König bis Pik-Ass auf Stapel 3 gelegt.
# a run of mixed suits is named by the cards that moved: spider-4
t0x4-t2: t0 [1] 9H 8-6S, t2 TS → t0 4C, t2 TS 9H 8-6S
9♥ to 6♠ moved to column 3; turned 4♣.
Herz 9 bis Pik 6 auf Stapel 3 gelegt; Kreuz 4 aufgedeckt.
# a deal names the suits that it completes, and the aces that are gone: spider-4
deal: t0 5D K-2S, t1 4H, t2 K-2H, stock [10] → t0 5D, t1 4H 9C, f0 K-AS, f1 K-AH
Dealt A♠ 9♣ A♥: spades and hearts complete, 2 of 8.
Ausgeteilt: Pik-Ass, Kreuz 9, Herz-Ass: Pik und Herz fertig, 2 von 8.
# a deal that completes nothing names its cards: spider-4
deal: t0 9S, t1 4H → t0 9S KD, t1 4H AS
Dealt K♦ A♠.
Ausgeteilt: Karo-König, Pik-Ass.
# a suit that is completed again by a redo is announced: spider-4
redo: t0 AS, t2 K-2S → f0 K-AS
Redone: spades complete, 1 of 8.
Wiederholt: Pik fertig, 1 von 8.
# one that an undo takes back is not: spider-4
undo: f0 K-AS → t0 AS, t2 K-2S
Undone.
Zurückgenommen.
# suits of Little Spider, which has four, are complete on a foundation: little-spider
u0x1-f0: u0 3H KS, f0 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS → u0 3H, f0 AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS
K♠ to foundation 1: spades complete, 1 of 4.
Pik-König auf Ablage 1: Pik fertig, 1 von 4.
`;
for (const part of ACTS.split('\n# ').slice(1)) {
  const [about = '', what = '', ...words] = part.trim().split('\n');
  const [name, game] = about.split(': ');
  const [act = '', before, after] = what.split(/: | → /);
  test(name, () => {
    const piles = [table(before, game), table(after, game)];
    const said = [english, german].map((each) => each.actDone(parseAction(act), ...piles));
    assert.deepEqual(said, words);
  });
}

test('only a deal has words for screen readers alone: its cards', () => {
  const piles = [table('t0 5D K-2S, t1 4H, t2 K-2H'), table('t0 5D, t1 4H 9C, f0 K-AS, f1 K-AH')];
  const aside = (act) => [english, german].map((each) => each.actAside(parseAction(act), ...piles));
  assert.deepEqual(aside('deal'), [' A♠ 9♣ A♥', ': Pik-Ass, Kreuz 9, Herz-Ass']);
  assert.deepEqual(aside('t0x4-t2'), ['', '']);
});
