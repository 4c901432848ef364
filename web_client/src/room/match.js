// The score card of a match, as in the DOS program: a row for each game, and totals; and the choice of
// the next game.

import { strings } from '../core/language.js';
import { choosableGames } from '../core/practice.js';
import { amHost } from '../core/reducer.js';
import { h, write } from '../shared/element.js';

/**
 * @import {CardLine, MatchView, PlayerCard} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {State} from '../core/reducer.js'
 */

/** In the order of `strings.MATCH.columns`. */
const COLUMNS = /** @type {const} */ ([
  'score',
  'moves',
  'exceptions',
  'hints',
  'cheats',
  'time_ms',
]);
/** @typedef {typeof COLUMNS[number]} Column */

/**
 * Return the columns of a match: those that can differ. Exceptions have one if the room allows them,
 * hints and cheats if there were any.
 *
 * @param {MatchView} match
 * @param {boolean} allowsExceptions
 */
function columnsOf({ cards }, allowsExceptions) {
  const hasAny = (/** @type {'exceptions' | 'hints' | 'cheats'} */ name) =>
    cards.some((card) => card[name] > 0);
  return COLUMNS.filter((name) => {
    if (name === 'exceptions') return hasAny(name) || (allowsExceptions && !hasAny('cheats'));
    return (name !== 'hints' && name !== 'cheats') || hasAny(name);
  });
}

/** Make a row of a card. @param {string} label @param {(Pick<CardLine, Column> & {is_win?: boolean}) | null | undefined} line @param {Column[]} columns */
function makeRow(label, line, columns) {
  const cells = columns.map((name) => {
    if (!line) return '';
    return name === 'time_ms' ? strings.clock(line.time_ms) : line[name];
  });
  return h(
    'tr',
    { class: line?.is_win ? 'score-card-won' : '' },
    h('th', { scope: 'row', text: label }),
    ...cells.map((text) => h('td', { text })),
  );
}

/** Return the games of the card, and those that were played before it was shortened. @param {MatchView} match */
function gamesOf({ rounds, numbers }) {
  const all = Array.from({ length: rounds }, (_, i) => i + 1);
  return [...new Set([...all, ...numbers])].sort((a, b) => a - b);
}

/** Return whether anybody has won a round: places of those who gave up mean nothing before. @param {MatchView} match */
const hasPlaces = ({ cards }) => cards.some(({ wins }) => wins > 0);

/** Draw the card of a player. @param {PlayerCard} card @param {MatchView} match @param {Column[]} columns @param {string} cheatRule @param {boolean} isOwn */
function drawCard(card, match, columns, cheatRule, isOwn) {
  const [gameHeading, ...words] = strings.MATCH.columns;
  const headings = columns.map((name) =>
    h('th', {
      scope: 'col',
      text: words[COLUMNS.indexOf(name)],
      title: name === 'cheats' && cheatRule,
    }),
  );
  const isMixed = new Set(match.games).size > 1;
  const lines = gamesOf(match).map((number) => {
    const i = match.numbers.indexOf(number);
    const game = match.games[i];
    const label = isMixed && game ? `${number} ${strings.gameName(game)}` : String(number);
    return makeRow(label, card.lines[i], columns);
  });
  const table = h(
    'table',
    {},
    h(
      'caption',
      {},
      card.place !== null &&
        hasPlaces(match) &&
        h('b', { text: `${strings.ordinal(card.place)} ` }),
      isOwn ? strings.you(card.name) : card.name,
      h('span', { text: strings.roundsWon(card.wins) }),
    ),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col', text: gameHeading }), ...headings)),
    h('tbody', {}, ...lines),
    h('tfoot', {}, makeRow(strings.MATCH.totals, card, columns)),
  );
  const element = h('div', { class: isOwn ? 'score-card score-card-own' : 'score-card' }, table);
  element.dataset.seat = String(card.seat);
  return element;
}

/** Bind the choice of the next game, for the host. @param {App} app */
function bindNextGame(app) {
  const next = h('p', { id: 'next-game', 'aria-live': 'polite' });
  const games = h('div', { class: 'buttons', id: 'games', role: 'group' });
  games.setAttribute('aria-label', strings.MATCH.which);
  /** Make the button of a game. @param {number} game */
  function makeButton(game) {
    const button = h('button', { type: 'button', text: game, 'aria-label': strings.game(game) });
    button.dataset.game = String(game);
    button.addEventListener('click', () => app.send({ type: 'choose', game }));
    return button;
  }
  return {
    element: h('div', { class: 'match-next' }, next, games),
    /** @param {State} state */
    update(state) {
      const { room } = state;
      const openGames = choosableGames(state);
      const isHost = amHost(state);
      next.hidden = openGames.length === 0;
      games.hidden = next.hidden || !isHost;
      if (!room || next.hidden) return;
      const { which } = strings.MATCH;
      write(next, `${isHost ? `${which} ` : ''}${strings.gameNext(room.next_game ?? 1)}`);
      while (games.children.length > room.settings.rounds) games.lastElementChild?.remove();
      while (games.children.length < room.settings.rounds)
        games.append(makeButton(games.children.length + 1));
      for (const [i, button] of [...games.children].entries()) {
        if (!(button instanceof HTMLButtonElement)) continue;
        button.disabled = !openGames.includes(i + 1);
        button.classList.toggle('primary', room.next_game === i + 1);
        button.setAttribute('aria-pressed', String(room.next_game === i + 1));
      }
    },
  };
}

/** Bind the cards of all players, for matches of several rounds. @param {App} app */
export function bindMatch(app) {
  const title = h('h2', {});
  const cards = h('div', { class: 'score-cards' });
  const nextGame = bindNextGame(app);
  const note = h('p', { class: 'small-text cheat-note', hidden: true });
  const element = h(
    'section',
    { class: 'panel', id: 'match-card', hidden: true, 'aria-label': strings.MATCH.label },
    title,
    cards,
    nextGame.element,
    note,
  );
  /** @type {MatchView | null} */
  let shown = null;

  return {
    element,
    /** @param {State} state */
    update(state) {
      const rounds = state.room?.settings.rounds ?? 1;
      const match = state.room?.match ?? null;
      element.hidden = (match?.rounds ?? rounds) < 2;
      if (element.hidden) return;
      nextGame.update(state);
      cards.hidden = !match;
      if (!match) write(title, strings.matchOf(rounds));
      if (!match || JSON.stringify(match) === JSON.stringify(shown)) return;
      shown = match;
      const me = state.me?.seat ?? -1;
      const winners = match.cards.filter(({ seat }) => match.winners?.includes(seat));
      title.textContent = match.over
        ? strings.matchWon(winners.map(({ name }) => name))
        : strings.matchAfter(match.n.length, match.rounds);
      const cheatRule = strings.cheatRule(state.room?.settings.undo);
      write(note, cheatRule);
      note.hidden = match.cards.every(({ cheats }) => cheats === 0);
      const columns = columnsOf(match, state.room?.settings.exceptions !== 'off');
      cards.replaceChildren(
        ...match.cards.map((card) => drawCard(card, match, columns, cheatRule, card.seat === me)),
      );
    },
  };
}
