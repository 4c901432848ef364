// The score card of a match: a row for each game, and totals; and the choice of the next game. Under a
// preset of the DOS program the card looks as it did there.

import { choosableGames, repeatableGames, repeatedGame } from '../state/next-game.js';
import { coloursOf } from '../state/seat-colours.js';
import { amHost, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { programMark, seatMark } from '../widgets/marks.js';
import { catalogue, presetOf, whenLoaded } from './catalogue.js';

/**
 * @import {CardLine, MatchView, PlayerCard, Settings} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
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

/**
 * Make a row of a card.
 * @param {string} label
 * @param {(Pick<CardLine, Column> & {is_win?: boolean}) | null | undefined} line
 * @param {Column[]} columns
 */
function makeRow(label, line, columns) {
  const cells = columns.map((name) => {
    if (!line) return '';
    return name === 'time_ms' ? strings.clock(line.time_ms) : line[name];
  });
  return h(
    'tr',
    { 'data-won': line?.is_win ?? false },
    h('th', { scope: 'row', text: label }),
    ...cells.map((text) => h('td', { text })),
  );
}

/** The time of a card is the sum of the times that it shows, in whole seconds. @param {PlayerCard} card */
export const totalsOf = (card) => ({
  ...card,
  time_ms: card.lines.reduce((sum, line) => sum + wholeSeconds(line?.time_ms ?? 0), 0),
});

/** @param {number} ms */
const wholeSeconds = (ms) => ms - (ms % 1_000);

/** Return the games of the card, and those that were played before it was shortened. @param {MatchView} match */
function gamesOf({ rounds, numbers }) {
  const all = Array.from({ length: rounds }, (_, i) => i + 1);
  return [...new Set([...all, ...numbers])].sort((a, b) => a - b);
}

/** The presets of the DOS program. */
const OF_DOS = /^dos-/;

/** Return whether rules are those of the DOS program; false until the catalogue is loaded. @param {Settings | undefined} settings */
const isOfDos = (settings) => OF_DOS.test((settings && presetOf(catalogue(), settings)) ?? '');

/** Return whether anybody has won a round: places of those who gave up mean nothing before. @param {MatchView} match */
const hasPlaces = ({ cards }) => cards.some(({ wins }) => wins > 0);

/**
 * Draw the card of a player.
 * @param {PlayerCard} card
 * @param {MatchView} match
 * @param {Column[]} columns
 * @param {string} cheatRule
 * @param {State} state
 */
function drawCard(card, match, columns, cheatRule, { me, room, over }) {
  const isOwn = card.seat === me?.seat;
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
  const program = programSeats(room).get(card.seat);
  const table = h(
    'table',
    {},
    h(
      'caption',
      {},
      card.place !== null &&
        hasPlaces(match) &&
        card.lines.some((line) => line && line.has_acted !== false) &&
        h('b', { text: `${strings.ordinal(card.place)} ` }),
      seatMark(coloursOf(room, over)(card.seat)),
      program !== undefined && programMark(program),
      isOwn ? strings.you(card.name) : card.name,
      h('span', { class: 'match-wins', text: strings.roundsWon(card.wins) }),
    ),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col', text: gameHeading }), ...headings)),
    h('tbody', {}, ...lines),
    h('tfoot', {}, makeRow(strings.MATCH.totals, totalsOf(card), columns)),
  );
  const element = h('div', { class: 'match-card mark-tone', 'data-own': isOwn }, table);
  element.dataset.seat = String(card.seat);
  element.dataset.colour = coloursOf(room, over)(card.seat);
  return element;
}

/** Bind the choice of the next game, for the host. @param {App} app */
function bindNextGame(app) {
  const next = h('p', { id: 'next-game', 'aria-live': 'polite' });
  const games = h('div', { class: 'buttons', id: 'games', role: 'group' });
  games.setAttribute('aria-label', strings.MATCH.which);
  /** Make the button of a game. @param {number} game */
  function makeButton(game) {
    const button = h('button', { text: game });
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
      const played = repeatableGames(state);
      const again = repeatedGame(state);
      const isHost = amHost(state);
      next.hidden = !room || (room.next_game === null && !(isHost && played.length > 0));
      games.hidden = next.hidden || !isHost;
      if (!room || next.hidden) return;
      const { which } = strings.MATCH;
      const comes = again ? strings.againNext(again) : strings.gameNext(room.next_game ?? 1);
      const sentence = room.next_game === null ? strings.MATCH.repeat : comes;
      write(next, `${isHost && room.next_game !== null ? `${which} ` : ''}${sentence}`);
      while (games.children.length > room.settings.rounds) games.lastElementChild?.remove();
      while (games.children.length < room.settings.rounds)
        games.append(makeButton(games.children.length + 1));
      for (const [i, button] of [...games.children].entries()) {
        if (!(button instanceof HTMLButtonElement)) continue;
        const isPlayed = played.includes(i + 1);
        button.disabled = !isPlayed && !openGames.includes(i + 1);
        button.toggleAttribute('data-played', isPlayed);
        button.setAttribute('aria-label', (isPlayed ? strings.gameAgain : strings.nthRound)(i + 1));
        button.title = isPlayed ? strings.gameAgain(i + 1) : '';
        button.dataset.kind = room.next_game === i + 1 ? 'primary' : 'plain';
        button.setAttribute('aria-pressed', String(room.next_game === i + 1));
      }
    },
  };
}

/** Bind the cards of all players, for matches of several rounds. @param {App} app */
export function bindMatch(app) {
  const title = h('h2', {});
  const cards = h('div', { class: 'match-cards' });
  const nextGame = bindNextGame(app);
  const note = h('p', { class: 'text-small match-cheats', hidden: true });
  const element = h(
    'section',
    { class: 'panel match', id: 'match-card', hidden: true, 'aria-label': strings.MATCH.label },
    title,
    cards,
    nextGame.element,
    note,
  );
  /** @type {MatchView | null} */
  let shown = null;
  /** @type {Settings | undefined} */
  let rules;
  whenLoaded(() => element.toggleAttribute('data-dos', isOfDos(rules)));

  return {
    element,
    /** @param {State} state */
    update(state) {
      if (rules !== state.room?.settings) {
        rules = state.room?.settings;
        element.toggleAttribute('data-dos', isOfDos(rules));
      }
      const rounds = state.room?.settings.rounds ?? 1;
      const match = state.room?.match ?? null;
      element.hidden = (match?.rounds ?? rounds) < 2;
      if (element.hidden) return;
      nextGame.update(state);
      cards.hidden = !match;
      if (!match) write(title, strings.matchOf(rounds));
      if (!match || JSON.stringify(match) === JSON.stringify(shown)) return;
      shown = match;
      const winners = match.cards.filter(({ seat }) => match.winners?.includes(seat));
      title.textContent = match.over
        ? strings.matchWon(winners.map(({ name }) => name))
        : strings.matchAfter(match.n.length, match.rounds);
      const cheatRule = strings.cheatRule(state.room?.settings.undo);
      write(note, cheatRule);
      note.hidden = match.cards.every(({ cheats }) => cheats === 0);
      const columns = columnsOf(match, state.room?.settings.exceptions !== 'off');
      cards.replaceChildren(
        ...match.cards.map((card) => drawCard(card, match, columns, cheatRule, state)),
      );
    },
  };
}
