// A match of several rounds: the score card of each player, with a row for each game and totals; the choice of
// the next game; and the line of the wins. A preset of the DOS program also brings the look of its cards.

import { choosableGames, repeatableGames, repeatedGame } from '../state/next-game.js';
import { amHost, coloursOf, hasPlayed, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, keyed, set, tableHead, tableRow } from '../widgets/element.js';
import { keyOfSeat, writeName } from '../widgets/names.js';
import { partOf } from './host.js';
import { presetOf } from './settings.js';

/**
 * @import {CardLine, MatchView, PlayerCard, RoomView, SeatView, Settings} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {'score' | 'moves' | 'exceptions' | 'hints' | 'cheats' | 'time_ms'} Column
 */

/** In the order of `strings.MATCH.columns`. @type {readonly Column[]} */
const COLUMNS = ['score', 'moves', 'exceptions', 'hints', 'cheats', 'time_ms'];
const OF_DOS = /^dos-/; // the presets of the DOS program

/** Bind the score cards of all players, for matches of several rounds. @param {App} app */
export function bindMatch(app) {
  const title = h('h2');
  const cards = h('div', { class: 'match-cards' });
  const nextGame = bindNextGame(app);
  const note = h('p', { class: 'text-small', hidden: true });
  const looks = { class: 'pane match', id: 'match-card', 'aria-label': strings.MATCH.label };
  const element = h('section', { ...looks, hidden: true }, title, cards, nextGame.element, note);
  let drawn = ''; // what the cards show: each message of the room has a new match object
  return {
    element,
    /** Show the score cards in a match of several rounds, and draw them if they have changed. @param {State} state */
    update(state) {
      const { room, over } = state;
      if (!room) return;
      const { match, settings } = room;
      element.hidden = (match ?? settings).rounds < 2; // no match before its first result
      set(element, { 'data-dos': OF_DOS.test(presetOf(settings) ?? '') });
      if (element.hidden) return;
      nextGame.update(state);
      cards.hidden = !match;
      if (!match) set(title, { text: strings.ROUNDS.match(settings.rounds) });
      if (!match) return;
      const colours = coloursOf(room, over);
      const content = JSON.stringify([match, match.cards.map(({ seat }) => colours(seat))]);
      if (content !== drawn) drawMatch({ title, cards, note }, state, room, match);
      drawn = content;
    },
  };
}

/**
 * Draw a match: its winner or how many of its rounds are played, and the cards.
 * @param {Record<'title' | 'cards' | 'note', HTMLElement>} parts @param {State} state @param {RoomView} room
 * @param {MatchView} match
 */
function drawMatch({ title, cards, note }, state, room, match) {
  const { settings } = room;
  const winners = match.cards.filter(({ seat }) => match.winners?.includes(seat));
  const names = winners.map(({ name }) => name);
  set(title, {
    text: match.over ? strings.matchWon(names) : strings.matchAfter(match.n.length, match.rounds),
    hidden: match.over && room.state === 'FINISHED', // the results have it as their headline
  });
  // The ranking of the results has explained its cheats already.
  const ranking = room.state === 'FINISHED' ? (state.over?.ranking ?? []) : [];
  const isExplained = ranking.some(({ cheats }) => cheats > 0);
  const hasCheats = match.cards.some(({ cheats }) => cheats > 0);
  set(note, { text: strings.cheatRule(settings.undo), hidden: isExplained || !hasCheats });
  const columns = columnsOf(match, settings.exceptions !== 'off');
  cards.replaceChildren(...match.cards.map((card) => makeCard(card, match, columns, state)));
}

/**
 * Return the columns of the cards: the figures that can differ. Hints, cheats and exceptions have one if there
 * were any; exceptions also if the room allows them, unless the cheats have a column.
 * @param {MatchView} match @param {boolean} allowsExceptions
 */
function columnsOf({ cards }, allowsExceptions) {
  const hasAny = (/** @type {'exceptions' | 'hints' | 'cheats'} */ name) =>
    cards.some((card) => card[name] > 0);
  return COLUMNS.filter((name) => {
    if (name === 'hints' || name === 'cheats') return hasAny(name);
    if (name === 'exceptions') return hasAny(name) || (allowsExceptions && !hasAny('cheats'));
    return true;
  });
}

/** Make a player's score card. @param {PlayerCard} card @param {MatchView} match @param {Column[]} columns @param {State} state */
function makeCard(card, match, columns, state) {
  const [gameHeading = '', ...words] = strings.MATCH.columns; // the words in the order of COLUMNS
  const headings = columns.map((column) => words[COLUMNS.indexOf(column)] ?? '');
  const isMixed = new Set(match.games).size > 1; // then the rows name their variants
  const lines = gamesOf(match).map((number) => {
    const round = match.numbers.indexOf(number); // -1: not played, and its row stays empty
    const variant = match.games[round];
    const label = isMixed && variant ? `${number} ${strings.gameName(variant)}` : String(number);
    return makeRow(label, card.lines[round], columns);
  });
  const caption = makeCaption(card, match, state);
  const head = tableHead([gameHeading, ...headings]);
  const totals = h('tfoot', {}, makeRow(strings.MATCH.totals, totalsOf(card), columns));
  const table = h('table', {}, caption, head, h('tbody', {}, ...lines), totals);
  const element = h('div', { class: 'match-card', 'data-seat': card.seat }, table);
  const colour = coloursOf(state.room, state.over)(card.seat);
  set(element, { 'data-own': card.seat === state.me?.seat, 'data-colour': colour });
  return element;
}

/** Make a card's caption: the player's place, name, and rounds won. @param {PlayerCard} card @param {MatchView} match @param {State} state */
function makeCaption(card, match, { room, over, me }) {
  // A place means nothing before the first win, or for a player who has not really played.
  const isPlaced =
    card.place !== null && match.cards.some(({ wins }) => wins > 0) && hasPlayed(card.lines);
  const name = card.seat === me?.seat ? strings.you(card.name) : card.name;
  const who = h('span', { class: 'line grow' });
  writeName(who, name, programSeats(room).get(card.seat), coloursOf(room, over)(card.seat));
  const place = isPlaced && h('b', { text: `${strings.ordinal(card.place ?? 0)} ` });
  const won = h('span', { text: strings.ROUNDS.won(card.wins) });
  return h('caption', {}, h('div', { class: 'row between' }, place, who, ' ', won));
}

/** Return the numbers of a match's games, even of those beyond its end if the host has made it shorter. @param {MatchView} match */
function gamesOf({ rounds, numbers }) {
  const all = Array.from({ length: rounds }, (_, i) => i + 1);
  return [...new Set([...all, ...numbers])].sort((a, b) => a - b);
}

/**
 * Make a row of a score card.
 * @param {string} label its heading
 * @param {(Pick<CardLine, Column> & {is_win?: boolean}) | null | undefined} line without a line the cells stay empty
 * @param {Column[]} columns
 */
function makeRow(label, line, columns) {
  const figures = columns.map(
    (name) => line && (name === 'time_ms' ? strings.clock(line.time_ms) : line[name]),
  );
  const row = tableRow([label, ...figures]);
  set(row, { 'data-won': line?.is_win ?? false });
  return row;
}

/** Return the totals of a score card. Its time sums the shown times, which are whole seconds. @param {PlayerCard} card */
export function totalsOf(card) {
  const seconds = card.lines.map((line) => Math.floor((line?.time_ms ?? 0) / 1_000));
  return { ...card, time_ms: 1_000 * seconds.reduce((sum, each) => sum + each, 0) };
}

/** Bind the choice of the next game, for the host. @param {App} app */
function bindNextGame(app) {
  const { which, repeat } = strings.MATCH;
  const words = strings.ROUNDS;
  const next = h('p', { id: 'next-game', 'aria-live': 'polite' });
  const games = h('div', { class: 'row', id: 'games', role: 'group', 'aria-label': which });
  const element = h('div', { class: 'stack match-next' }, next, games);
  const makeGame = (/** @type {number} */ game) => {
    const onclick = () => app.send({ type: 'choose', game });
    return h('button', { text: game, 'data-game': game, onclick });
  };
  return {
    element,
    /** Show the next game, and to the host the games to choose from. @param {State} state */
    update(state) {
      const { room } = state;
      if (!room) return;
      const { next_game: chosen, settings } = room; // the host's choice, or the lowest open game
      const openGames = choosableGames(state);
      const played = repeatableGames(state);
      const again = repeatedGame(state);
      const isHost = amHost(state);
      // Without a next game, only a host can choose one: a game that was played.
      element.hidden = chosen === null && !(isHost && played.length > 0);
      games.hidden = !isHost;
      if (element.hidden) return;
      const comes = again ? words.againNext(again) : words.next(chosen ?? 0);
      const text = isHost ? `${which} ${comes}` : comes;
      set(next, { text: chosen === null ? repeat : text });
      const all = Array.from({ length: settings.rounds }, (_, i) => i + 1);
      keyed(games, all, String, makeGame, (button, game) => {
        const isPlayed = played.includes(game);
        const label = isPlayed ? words.again(game) : words.nth(game);
        set(button, { disabled: !isPlayed && !openGames.includes(game), 'aria-label': label });
        set(button, { title: isPlayed && label, 'aria-pressed': String(chosen === game) });
      });
    },
  };
}

// The tally: a line with each player's wins.

const MAX_SHOWN = 6; // at most this many players are in the tally

/**
 * Return the players of the tally, most wins first; nobody before the first win. If there are too many players,
 * omit those without a win, since any choice among them would be random.
 * @param {readonly SeatView[]} seats
 */
export function tallyOf(seats) {
  const all = seats.filter(({ role, wins }) => role === 'player' || wins > 0); // also winners who now watch
  if (all.length < 2 || all.every(({ wins }) => wins === 0)) return [];
  const players = all.length > MAX_SHOWN ? all.filter(({ wins }) => wins > 0) : all;
  return players.toSorted((a, b) => b.wins - a.wins || a.seat - b.seat).slice(0, MAX_SHOWN);
}

/**
 * Return the tally of a match, in the order of its cards. `wins` counts what decides the match: rounds or points.
 * @param {MatchView} match @param {Settings['match_ranking']} by what decides the match
 */
export function matchTallyOf({ cards }, by) {
  const ranked = cards.filter(({ place }) => place !== null); // without those who never had a place
  const tally = ranked.map(({ seat, name, wins, score }) => {
    return { seat, name, wins: by === 'wins' ? wins : score };
  });
  if (tally.length < 2 || tally.every(({ wins }) => wins === 0)) return [];
  return tally.slice(0, MAX_SHOWN);
}

/**
 * Return the wins by seat, the tally of the leading players, and its title. What counts as a win: in a match of
 * several rounds a round or a point, else a race in this room.
 * @param {RoomView | null} room
 */
export function winsOf(room) {
  const { match, settings, seats = [] } = room ?? {};
  const { label, wins } = strings.MATCH;
  const isOfMatch = match && settings && match.rounds > 1;
  const tally = isOfMatch ? matchTallyOf(match, settings.match_ranking) : tallyOf(seats);
  const all = isOfMatch ? tally : seats;
  const bySeat = new Map(all.map((each) => [each.seat, each.wins]));
  return { tally, wins: bySeat, title: isOfMatch ? label : wins };
}

/** Bind the line `Anna 2 – Ben 1`: rounds or points in a match of several rounds, else wins in this room. */
export function bindTally() {
  const title = h('span');
  const list = h('span', { class: 'row grow' });
  const element = h('p', { class: 'row', id: 'tally', hidden: true }, title, list);
  return {
    element,
    /** @param {State} state */
    update({ room, over }) {
      const { tally: players, title: words } = winsOf(room);
      const programs = programSeats(room);
      const colours = coloursOf(room, over);
      element.hidden = players.length === 0;
      set(title, { text: `${words}: ` });
      keyed(
        list,
        players,
        keyOfSeat,
        () => h('span', { class: 'line' }, h('bdi', { class: 'text-cut' }), ' ', h('b'), ' '),
        (row, { seat, name, wins }) => {
          writeName(partOf(row, 'bdi'), name, programs.get(seat), colours(seat));
          set(partOf(row, 'b'), { text: String(wins) });
        },
      );
    },
  };
}
