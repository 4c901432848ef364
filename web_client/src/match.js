// The card of a match, as the DOS program had it: a line a game, and totals.

import { h } from './element.js';
import { strings } from './language.js';

/**
 * @import {CardLine, MatchView, PlayerCard} from './protocol.d.ts'
 */

/** @param {string} label @param {CardLine | null | undefined} line @param {boolean} hinting */
function row(label, line, hinting) {
  const cells = line
    ? [
        line.score,
        line.moves,
        line.exceptions,
        ...(hinting ? [line.hints] : []),
        strings.clock(line.time_ms),
      ]
    : Array(hinting ? 5 : 4).fill('');
  return h(
    'tr',
    { class: line?.place === 1 ? 'won' : '' },
    h('th', { scope: 'row', text: label }),
    ...cells.map((text) => h('td', { text })),
  );
}

/** @param {PlayerCard} card @param {MatchView} match @param {boolean} own */
function block(card, match, own) {
  const hinting = match.cards.some(({ hints }) => hints > 0);
  const columns = hinting ? strings.MATCH.hinted : strings.MATCH.columns;
  const lines = match.n.map((_, i) => {
    const mixed = new Set(match.games).size > 1;
    const game = match.games[i];
    const label = mixed && game ? `${i + 1} ${strings.gameName(game)}` : String(i + 1);
    return row(label, card.lines[i], hinting);
  });
  for (let i = match.n.length; i < match.rounds; i++) lines.push(row(String(i + 1), null, hinting));
  const table = h(
    'table',
    {},
    h(
      'caption',
      {},
      h('b', { text: `${card.place === null ? '–' : strings.ordinal(card.place)} ` }),
      own ? strings.you(card.name) : card.name,
      h('span', { text: strings.roundsWon(card.wins) }),
    ),
    h('thead', {}, h('tr', {}, ...columns.map((text) => h('th', { scope: 'col', text })))),
    h('tbody', {}, ...lines),
    h('tfoot', {}, row(strings.MATCH.totals, { ...card, won: false, place: 0 }, hinting)),
  );
  const element = h('div', { class: own ? 'score-card own' : 'score-card' }, table);
  element.dataset.seat = String(card.seat);
  return element;
}

/** The cards of everybody; hidden until a match of several rounds has begun. */
export function bindMatch() {
  const title = h('h2', {});
  const cards = h('div', { class: 'score-cards' });
  const element = h('section', { class: 'panel', id: 'match-card', hidden: true }, title, cards);
  element.setAttribute('aria-label', strings.MATCH.label);
  /** @type {MatchView | null} */
  let shown = null;

  return {
    element,
    /** @param {MatchView | null} match @param {number} me */
    update(match, me) {
      element.hidden = !match || match.rounds < 2;
      if (!match || element.hidden || JSON.stringify(match) === JSON.stringify(shown)) return;
      shown = match;
      const first = match.cards.filter((card) => card.place === 1).map((card) => card.name);
      title.textContent = match.over
        ? strings.matchWon(first)
        : strings.matchAfter(match.n.length, match.rounds);
      cards.replaceChildren(...match.cards.map((card) => block(card, match, card.seat === me)));
    },
  };
}
