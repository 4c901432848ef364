// A match of several rounds: a score card for each player, with a row for each game and totals; the choice of the next
// game; and the tally, a line with the players' wins. Presets of the DOS program also have the look of its score cards.

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

/** The columns of a score card, in the order of their headings in `strings.MATCH.columns`. @type {readonly Column[]} */
const COLUMNS = ['score', 'moves', 'exceptions', 'hints', 'cheats', 'time_ms'];
const DOS_PRESET = /^dos-/;

/** Bind the score cards of all players, for matches of several rounds. @param {App} app */
export function bindMatch(app) {
  const title = h('h2');
  const cards = h('div', { class: 'match-cards' });
  const nextGame = bindNextGame(app);
  const note = h('p', { class: 'text-small', hidden: true });
  const looks = { class: 'pane match', id: 'match-card', 'aria-label': strings.MATCH.label };
  const element = h('section', { ...looks, hidden: true }, title, cards, nextGame.element, note);
  let drawn = ''; // what the cards show, as JSON: every message about the room has a new match object
  return {
    element,
    /** Show the score cards if the match has several rounds. @param {State} state */
    update(state) {
      const { room, over } = state;
      if (!room) return;
      const { match, settings } = room;
      element.hidden = (match ?? settings).rounds < 2; // no match before its first result
      set(element, { 'data-dos': DOS_PRESET.test(presetOf(settings) ?? '') }); // score cards as in DOS
      if (element.hidden) return;
      nextGame.update(state);
      cards.hidden = !match;
      if (!match) return set(title, { text: strings.ROUNDS.match(settings.rounds) });
      const colours = coloursOf(room, over);
      const content = JSON.stringify([match, match.cards.map(({ seat }) => colours(seat))]);
      if (content !== drawn) drawMatch({ title, cards, note }, state, room, match);
      drawn = content;
    },
  };
}

/**
 * Draw a match: the score cards, and above them its winner, or how many of its rounds are over.
 * @param {Record<'title' | 'cards' | 'note', HTMLElement>} parts @param {State} state @param {RoomView} room
 * @param {MatchView} match
 */
function drawMatch({ title, cards, note }, state, room, match) {
  const { settings } = room;
  const { over, n: roundsOver, rounds } = match;
  const winners = match.cards.filter(({ seat }) => match.winners?.includes(seat));
  const names = winners.map(({ name }) => name);
  set(title, {
    text: over ? strings.matchWon(names) : strings.matchAfter(roundsOver.length, rounds),
    hidden: over && room.state === 'FINISHED', // then it is the headline of the results
  });
  // If there are cheats in the ranking of the results, the rule is explained there.
  const ranking = room.state === 'FINISHED' ? (state.over?.ranking ?? []) : [];
  const isExplained = ranking.some(({ cheats }) => cheats > 0);
  const hasCheats = match.cards.some(({ cheats }) => cheats > 0);
  set(note, { text: strings.cheatRule(settings.undo), hidden: isExplained || !hasCheats });
  const columns = columnsOf(match, settings.exceptions !== 'off');
  cards.replaceChildren(...match.cards.map((card) => makeCard(card, match, columns, state)));
}

/**
 * Return the columns of the score cards. Hints, cheats and exceptions get one if there were any. Exceptions also get
 * one if the room merely allows them, unless cheats have one: a phone has no space for both.
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

/** @param {PlayerCard} card @param {MatchView} match @param {Column[]} columns @param {State} state */
function makeCard(card, match, columns, state) {
  const [gameHeading = '', ...figureHeadings] = strings.MATCH.columns;
  const headings = columns.map((column) => figureHeadings[COLUMNS.indexOf(column)] ?? '');
  const isMixed = new Set(match.games).size > 1; // if the variants differ, each row names its own
  const lines = gamesOf(match).map((number) => {
    const index = match.numbers.indexOf(number); // -1 for a game that wasn't played: its row stays empty
    const variant = match.games[index];
    const label = isMixed && variant ? `${number} ${strings.gameName(variant)}` : String(number);
    return makeRow(label, card.lines[index], columns);
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

/** Make a caption: place, name, rounds won. @param {PlayerCard} card @param {MatchView} match @param {State} state */
function makeCaption(card, match, { room, over, me }) {
  // A place means nothing before the first win, or without a finished game.
  const isPlaced =
    card.place !== null && match.cards.some(({ wins }) => wins > 0) && hasPlayed(card.lines);
  const name = card.seat === me?.seat ? strings.you(card.name) : card.name;
  const who = h('span', { class: 'line grow' });
  writeName(who, name, programSeats(room).get(card.seat), coloursOf(room, over)(card.seat));
  const place = isPlaced && h('b', { text: `${strings.ordinal(card.place ?? 0)} ` });
  const won = h('span', { text: strings.ROUNDS.won(card.wins) });
  return h('caption', {}, h('div', { class: 'row between' }, place, who, ' ', won));
}

/** Return the numbers of a match's games, even those played before it was shortened. @param {MatchView} match */
function gamesOf({ rounds, numbers }) {
  const all = Array.from({ length: rounds }, (_, i) => i + 1);
  return [...new Set([...all, ...numbers])].sort((a, b) => a - b);
}

/**
 * @param {string} label the heading of the row
 * @param {(Pick<CardLine, Column> & {is_win?: boolean}) | null | undefined} line if missing, the cells stay empty
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

/** Return the totals of a score card. The time is the sum of the times in whole seconds. @param {PlayerCard} card */
export function totalsOf(card) {
  const seconds = card.lines.map((line) => Math.floor((line?.time_ms ?? 0) / 1_000));
  return { ...card, time_ms: 1_000 * seconds.reduce((sum, each) => sum + each, 0) };
}

/** Bind the line about the next game, and for the host the buttons that choose it. @param {App} app */
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
    /** @param {State} state */
    update(state) {
      const { room } = state;
      if (!room) return;
      const { next_game: chosen, settings } = room; // the host's choice, or the lowest open game
      const openGames = choosableGames(state);
      const played = repeatableGames(state);
      const repeated = repeatedGame(state);
      const isHost = amHost(state);
      // When all games were played, a host can still choose one to repeat.
      element.hidden = chosen === null && !(isHost && played.length > 0);
      games.hidden = !isHost;
      if (element.hidden) return;
      const comesNext = repeated ? words.againNext(repeated) : words.next(chosen ?? 0);
      const text = isHost ? `${which} ${comesNext}` : comesNext;
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
 * Return the tally of a room: the players, most wins first, or nobody before the first win. If there are too many,
 * those without a win are left out, since any choice among them would be random.
 * @param {readonly SeatView[]} seats
 */
export function tallyOf(seats) {
  const all = seats.filter(({ role, wins }) => role === 'player' || wins > 0); // winners may watch by now
  if (all.length < 2 || all.every(({ wins }) => wins === 0)) return [];
  const players = all.length > MAX_SHOWN ? all.filter(({ wins }) => wins > 0) : all;
  return players.toSorted((a, b) => b.wins - a.wins || a.seat - b.seat).slice(0, MAX_SHOWN);
}

/**
 * Return the tally of a match, in the order of its cards. Its `wins` are the rounds won, or the points if these decide
 * the match.
 * @param {MatchView} match @param {Settings['match_ranking']} ranking
 */
export function matchTallyOf({ cards }, ranking) {
  const ranked = cards.filter(({ place }) => place !== null); // null: without a line, such as a chaser
  const tally = ranked.map(({ seat, name, wins, score }) => {
    return { seat, name, wins: ranking === 'wins' ? wins : score };
  });
  if (tally.length < 2 || tally.every(({ wins }) => wins === 0)) return [];
  return tally.slice(0, MAX_SHOWN);
}

/**
 * Return the wins by seat, the tally of the leading players, and its title. Wins are rounds or points in a match of
 * several rounds, and otherwise races won in this room.
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

/** Bind the tally, such as `Anna 2 – Ben 1`; `winsOf` counts it. */
export function bindTally() {
  const title = h('span');
  const list = h('span', { class: 'row grow' });
  const element = h('p', { class: 'row', id: 'tally', hidden: true }, title, list);
  const makePlayer = () =>
    h('span', { class: 'line' }, h('bdi', { class: 'text-cut' }), ' ', h('b'), ' ');
  return {
    element,
    /** @param {State} state */
    update({ room, over }) {
      const { tally: players, title: words } = winsOf(room);
      const programs = programSeats(room);
      const colours = coloursOf(room, over);
      element.hidden = players.length === 0;
      set(title, { text: `${words}: ` });
      keyed(list, players, keyOfSeat, makePlayer, (row, { seat, name, wins }) => {
        writeName(partOf(row, 'bdi'), name, programs.get(seat), colours(seat));
        set(partOf(row, 'b'), { text: String(wins) });
      });
    },
  };
}
