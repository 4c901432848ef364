// After the race: who was how good, and the proof that nobody knew the deal.

import { bindCompare } from './compare.js';
import { h, keyed, write } from './element.js';
import { strings } from './language.js';
import { bindMatch } from './match.js';
import { sameDeal } from './practice.js';
import { storedName } from './preferences.js';
import { verdict } from './proof.js';
import { amHost, mySeat } from './reducer.js';

/**
 * @import {RoundOver, Standing} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 * @import {App} from './main.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindResults(root, app) {
  const words = strings.RESULTS;
  const title = h('h1', { id: 'winner' });
  const podium = h('ol', { class: 'podium', 'aria-hidden': 'true' });
  const rows = h('tbody');
  const { columns } = words;
  const ranking = h(
    'table',
    { class: 'ranking' },
    h('thead', {}, h('tr', {}, ...columns.map((text) => h('th', { scope: 'col', text })))),
    rows,
  );
  const sealTitle = h('strong');
  const sealText = h('span');
  const seal = h('p', { class: 'seal', id: 'verified' }, sealTitle, sealText);
  const details = h('dl', { class: 'proof' });
  const json = h('a', { id: 'round-link', text: words.data, target: '_blank' });
  const kept = h('a', { id: 'round-text', text: words.text, download: true });
  const again = h('button', { id: 'again', type: 'button', text: words.again });
  again.addEventListener('click', playAgain);
  const match = bindMatch();
  const compare = bindCompare(app);
  const next = h('button', { id: 'next', type: 'button', class: 'primary', text: words.next });
  const wait = h('p', { class: 'small', text: words.wait });
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: words.leave });
  next.addEventListener('click', () => app.say({ type: 'next_round' }));
  leave.addEventListener('click', app.leave);
  root.replaceChildren(
    h(
      'div',
      { class: 'page results', id: 'results' },
      h('header', { class: 'title' }, title),
      h('section', { class: 'panel', 'aria-label': words.ranking }, podium, ranking),
      h('div', { class: 'buttons wide' }, next, wait, again, leave),
      match.element,
      compare.element,
      h(
        'section',
        { class: 'panel', 'aria-label': words.deal },
        seal,
        kept,
        h('details', {}, h('summary', { text: words.check }), details, json),
      ),
    ),
  );
  /** @type {RoundOver | null} */
  let shown = null;

  /** A room of one's own, with the deal of this round and its rules. */
  function playAgain() {
    const state = app.state();
    const settings = state.room?.settings;
    if (!settings || !state.over) return;
    const deal = sameDeal(settings, state.over.reveal);
    const name = storedName() || (mySeat(state)?.name ?? words.me);
    app.enter({ type: 'create', name, settings: deal }, { alone: true });
  }

  /** @param {Standing} standing */
  function makeRow(standing) {
    const row = h('tr', {}, ...columns.map(() => h('td')));
    row.dataset.seat = String(standing.seat);
    return row;
  }

  /** @param {HTMLElement} row @param {Standing} standing */
  function updateRow(row, standing) {
    const own = standing.seat === app.state().me?.seat;
    row.classList.toggle('own', own);
    const cells = [
      standing.place === null ? '–' : String(standing.place),
      own ? strings.you(standing.name) : standing.name,
      strings.result(standing),
      String(standing.score),
      String(standing.moves),
      String(standing.suits),
    ];
    cells.forEach((text, i) => {
      const cell = row.children[i];
      if (cell) write(cell, text);
    });
  }

  /** @param {State} state @param {RoundOver} over */
  function draw(state, over) {
    const first = over.ranking.filter((standing) => standing.place === 1);
    const own = over.ranking.find((standing) => standing.seat === state.me?.seat);
    const alone = over.ranking.length === 1;
    const won = own?.place === 1;
    const names = first.map((standing) => standing.name);
    write(title, strings.verdict(names, { alone, home: own?.won ?? false, won }));
    const top = over.ranking.filter((standing) => standing.place !== null).slice(0, 3);
    podium.hidden = alone;
    keyed(
      podium,
      top,
      (standing) => String(standing.seat),
      () => h('li', {}, h('span', { class: 'who' }), h('span', { class: 'step' })),
      (element, standing) => {
        const [who, step] = element.children;
        element.dataset.place = String(standing.place);
        if (who) write(who, standing.name);
        if (step) write(step, strings.ordinal(standing.place ?? 0));
      },
    );
    keyed(rows, over.ranking, (standing) => String(standing.seat), makeRow, updateRow);
    const game = state.room?.settings.game ?? '';
    const { good, title: proof, text } = verdict(game, state.promise?.commitment, over.reveal);
    seal.classList.toggle('good', good);
    write(sealTitle, proof);
    write(sealText, text);
    const { seed, salt, commitment, number, deck } = over.reveal;
    const facts = [
      [words.number, number === null ? null : String(number)],
      [words.seed, seed],
      [words.salt, salt],
      [words.seal, state.promise?.commitment ?? commitment],
      [strings.cardCount(deck.length), deck.join(' ')],
    ];
    details.replaceChildren(
      ...facts.flatMap(([name, value]) =>
        value ? [h('dt', { text: name }), h('dd', { text: value })] : [],
      ),
    );
    json.href = over.links.round;
    kept.href = over.links.text;
    if (shown?.n !== over.n) app.sound.play(won ? 'won' : 'home');
    shown = over;
  }

  return {
    /** @param {State} state */
    update(state) {
      if (state.over && state.over !== shown) draw(state, state.over);
      if (!state.over) write(title, words.over);
      const played = state.room?.match;
      match.update(played ?? null, state.me?.seat ?? -1);
      compare.update(state);
      const goesOn = played && !played.over && played.rounds > 1;
      const again = played && played.rounds > 1 ? words.newMatch : words.next;
      write(next, goesOn ? strings.nextOf(played.n.length + 1, played.rounds) : again);
      next.hidden = !amHost(state);
      wait.hidden = amHost(state);
    },
    unbind: compare.unbind,
  };
}
