// The parts of both pages of a round that is over: the head with the podium, the ranking, the replay, and
// what stays of the round.

import { storedName } from '../browser/storage.js';
import { decisionOf, decisiveOf, rivalsOf, turnedUpAt } from '../replay/course.js';
import { fetchReplay } from '../replay/finished-rounds.js';
import { bindReplay } from '../replay/replay.js';
import { sameDeal } from '../state/next-game.js';
import { mySeat, shownPlace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, set, write } from '../widgets/element.js';
import { bindRecord } from './record.js';
import { onPodium } from './verdict.js';

/**
 * @import {GameReview, Reveal, RoundCourse, Settings, SettingsInput, Standing, TieBreak} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/finished-rounds.js'
 * @import {Placed, Played} from './verdict.js'
 * @import {Colours, Programs} from '../state/state.js'
 */

/**
 * Return what decided a round, in a sentence, and the moment to show; null if nothing did.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 * @returns {Promise<{text: string, ms: number | null} | null>}
 */
async function decidedIn(round, me) {
  const pair = rivalsOf(round, me);
  /** @type {Map<number, number | null>} */
  const turned = new Map();
  // Only the games of two players who are home are needed, which the replay shows anyway.
  if (pair?.winner.won && pair.rival.won)
    for (const { seat } of [pair.winner, pair.rival]) {
      const replay = await fetchReplay({ code: round.room, n: round.n }, String(seat));
      turned.set(seat, turnedUpAt(replay));
    }
  const decisive = decisiveOf(round, me, (seat) => turned.get(seat) ?? null);
  const decision = decisionOf(round);
  if (decisive) {
    const turnedMs = decisive.kind === 'turned' ? turned.get(decisive.winner.seat) : null;
    const ms = decisive.kind === 'idle' ? null : (turnedMs ?? decision?.ms ?? null);
    return { text: strings.decisive(decisive, me), ms };
  }
  const name = round.courses.find(({ seat }) => seat === decision?.seat)?.name ?? '';
  return decision && { text: strings.decided(decision, name), ms: decision.ms };
}

/** Make a place on the podium. The ranking says the same in words. @param {Placed} placed @param {Ranked} ranked */
function makeStep({ seat, name, place }, { programs, colours }) {
  const label = h('span', { class: 'results-name', dir: 'auto' });
  writeName(label, name, programs.get(seat), colours(seat));
  const step = h('span', { class: 'results-step', text: strings.ordinal(place ?? 0) });
  return h('li', { 'data-place': place }, label, step);
}

/**
 * Bind the parts.
 * @param {App} app
 * @param {string} heading
 * @param {...HTMLElement} lines below the sentences of the head
 */
export function bindRound(app, heading, ...lines) {
  const title = h('h1', { id: 'winner', text: heading });
  const margin = h('p', { class: 'results-margin', id: 'margin', hidden: true });
  const decided = h('span');
  let decidedMs = 0;
  const see = h('button', {
    class: 'results-see',
    'data-kind': 'quiet',
    id: 'decided-see',
    text: strings.RESULTS.see,
    onclick: () => replay.goTo(decidedMs),
  });
  const decision = h('p', { class: 'results-decided', id: 'decided' }, decided, ' ', see);
  decision.hidden = true;
  const podium = h('ol', { class: 'results-podium', id: 'podium', 'aria-hidden': 'true' });
  const ranking = bindRanking((game) => replay.playWin(game));
  const record = bindRecord(app.announce);
  const replay = bindReplay(showDecision, ranking.setReview);
  const again = h('button', { id: 'again', text: strings.RESULTS.again, onclick: playAgain });
  const head = h('div', { class: 'results-words' }, title, margin, decision, ...lines);
  /** @type {RoundId | null} */
  let shown = null;
  /** The deal and the rules of the round. @type {SettingsInput | null} */
  let settings = null;

  /** Open a room for this player alone, with the same deal and rules. */
  function playAgain() {
    if (!settings) return;
    const name = storedName() || (mySeat(app.state())?.name ?? strings.RESULTS.me);
    app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
  }

  /** Show what decided the round, if its place is kept and that is known. @param {RoundCourse} round @param {number} me */
  async function showDecision(round, me) {
    const id = shown;
    const told = decision.hidden ? null : await decidedIn(round, me).catch(() => null);
    if (!told || shown !== id) return;
    decision.removeAttribute('data-empty');
    decidedMs = told.ms ?? 0;
    see.hidden = told.ms === null;
    write(decided, told.text);
  }

  return {
    head: h('header', { class: 'page-title results-head' }, head, podium),
    ranking: ranking.element,
    replay: replay.element,
    record: record.element,
    buttons: [again, ...record.pictureButtons],
    unbind: replay.unbind,
    /**
     * Show the deal of the round, and the links to it.
     * @param {Settings} rules
     * @param {Reveal} reveal
     * @param {string | null | undefined} promised the hash as it was shown before the race
     */
    reveal(rules, reveal, promised) {
      settings = sameDeal(rules, reveal);
      if (shown) record.show(shown, rules.game, promised, reveal);
    },
    /**
     * Fetch and show the course of another round. The sentence on what decided it has its place from
     * the start, if there may be one.
     * @param {RoundId} id
     * @param {number} me this player's seat, or -1
     * @param {boolean} mayBeDecided
     */
    replayRound(id, me, mayBeDecided) {
      shown = id;
      set(decision, { hidden: !mayBeDecided, 'data-empty': true });
      ranking.setReview(new Map());
      replay.show(id, me);
    },
    /** Show who has won, and by how much. @param {string} verdict @param {string} [by] */
    tell(verdict, by = '') {
      write(title, verdict);
      set(margin, { text: by, hidden: by === '' });
    },
    /** Return the same in sentences. */
    told: () =>
      [title.textContent, margin.textContent]
        .flatMap((words) => words || [])
        .map((words) => (/[.!?]$/.test(words) ? words : `${words}.`))
        .join(' '),
    /**
     * Draw the ranking of a round, and the podium of the round or of its match.
     * @param {Ranked} ranked
     * @param {readonly Played[]} placed best first
     * @param {boolean} hasWinner
     */
    draw(ranked, placed, hasWinner) {
      ranking.update(ranked);
      const standing = onPodium(placed, hasWinner);
      const key = standing.map(({ seat, name, place }) => `${seat} ${name} ${place}`).join();
      podium.hidden = standing.length === 0;
      if (podium.dataset.shown === key) return; // else the steps would rise again
      podium.dataset.shown = key;
      podium.replaceChildren(...standing.map((each) => makeStep(each, ranked)));
    },
  };
}

// The ranking: a row for each player, with the review of the game.

/**
 * @typedef {object} Ranked a finished round, and who looks at it
 * @property {{ranking: readonly Standing[], winners: readonly number[], tie_breaks?: readonly TieBreak[]}} round
 * @property {number} me this player's seat, or -1
 * @property {Programs} programs
 * @property {Colours} colours
 * @property {string | undefined} undo what could be undone in it
 * @property {string} [title] of the table, if the round is one of several
 */

/** Bind an empty ranking. @param {(game: GameReview) => void} playWin plays a player's last known win */
export function bindRanking(playWin) {
  const words = strings.RESULTS;
  const caption = h('caption', { hidden: true });
  const headings = words.columns.map((text) => h('th', { scope: 'col', text }));
  const rows = h('tbody');
  const table = h(
    'table',
    { class: 'results-ranking', id: 'ranking' },
    caption,
    h('thead', {}, h('tr', {}, ...headings)),
    rows,
  );
  const note = h('p', { class: 'text-small results-note', 'data-part': 'cheat-note' });
  const element = h(
    'section',
    { class: 'panel results-table', 'aria-label': words.ranking },
    table,
    note,
  );
  /** @type {Ranked | null} */
  let shown = null;
  /** The games that were reviewed, by seat. @type {ReadonlyMap<number, GameReview>} */
  let reviewed = new Map();
  /** The parts of each row. @type {WeakMap<HTMLElement, ReturnType<typeof makeParts>>} */
  const partsOf = new WeakMap();

  /** Make the parts of the row of a player. @param {number} seat */
  function makeParts(seat) {
    const onclick = () => {
      const game = reviewed.get(seat);
      if (game) playWin(game);
    };
    return {
      ...{ place: h('td'), name: h('td'), score: h('td'), moves: h('td'), suits: h('td') },
      result: h('span'),
      review: h('span', { class: 'results-review' }),
      said: h('span'),
      see: h('button', { 'data-kind': 'quiet', onclick }),
    };
  }

  /** Make the row of a player. @param {Standing} standing */
  function makeRow({ seat }) {
    const parts = makeParts(seat);
    const { place, name, result, review, said, see, score, moves, suits } = parts;
    review.append(said, see);
    const line = h('td', {}, result, review);
    const tone = { class: 'mark-tone', 'data-seat': seat };
    const row = h('tr', tone, place, name, line, score, moves, suits);
    partsOf.set(row, parts);
    return row;
  }

  /** Draw the row of a player. @param {HTMLElement} row @param {Standing} standing @param {Ranked} ranked */
  function drawRow(row, standing, { round, me, programs, colours }) {
    const parts = partsOf.get(row);
    if (!parts) return;
    const { place, name, result, review, said, see } = parts;
    const { seat } = standing;
    const isAlone = round.ranking.length === 1;
    const isOwn = seat === me;
    const program = programs.get(seat);
    const by = round.tie_breaks?.find((each) => each.seat === seat)?.by;
    // A player without rivals gives nothing up: the practice game was stopped.
    const wasStopped = isAlone && standing.state === 'FORFEIT';
    const line = strings.resultLine(wasStopped ? { ...standing, state: 'FINISHED' } : standing);
    const results = [program && strings.STRENGTHS[program], line, by && strings.TIE_BREAKS[by]];
    set(row, { 'data-own': isOwn, 'data-colour': colours(seat) });
    write(place, round.winners.length > 0 ? String(shownPlace(standing) ?? '') : '');
    const label = isOwn && !isAlone ? strings.you(standing.name) : standing.name;
    writeName(name, label, program, colours(seat));
    write(result, results.filter(Boolean).join(' · '));
    write(parts.score, String(standing.score));
    write(parts.moves, String(standing.moves));
    write(parts.suits, String(standing.suits));
    // A game that may be reviewed keeps a line for that from the start, so that no row grows later.
    const game = reviewed.get(seat);
    const isKnown = game !== undefined && game.known_ms !== null;
    review.hidden = standing.won || standing.has_acted === false;
    write(said, game ? `${strings.reviewLine(game)} ` : '');
    set(see, { hidden: !isKnown, text: isKnown ? words.see : '' });
  }

  /** Draw a finished round. @param {Ranked} ranked */
  function update(ranked) {
    shown = ranked;
    const { round, undo, title = '' } = ranked;
    table.toggleAttribute('data-unplaced', round.winners.length === 0);
    set(caption, { hidden: title === '', text: title });
    const hidden = round.ranking.every(({ cheats }) => cheats === 0);
    set(note, { hidden, text: strings.cheatRule(undo) });
    keyed(
      rows,
      round.ranking,
      ({ seat }) => String(seat),
      makeRow,
      (row, standing) => drawRow(row, standing, ranked),
    );
  }

  return {
    element,
    update,
    /** Show the games that were reviewed. @param {ReadonlyMap<number, GameReview>} games by seat */
    setReview(games) {
      reviewed = games;
      if (shown) update(shown);
    },
  };
}
