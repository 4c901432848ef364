// The page of a kept table (a room that stays for months), which is another view of its lobby and results:
// who is here, each game's standings, two members head to head, and the last races. The server computes the figures.

import { fetchDocument, keepFetching } from '../page/loads.js';
import { bindTableHead, leaveButton, shareHeight } from '../room/frame.js';
import { isLone, isOpenRace } from '../state/state.js';
import { strings } from '../strings/language.js';
import { iconButton, makePane, makeRadios } from '../widgets/controls.js';
import { callAll, h, keyed, set, writeItems } from '../widgets/element.js';
import { nameOfTable, seatMark, writeName } from '../widgets/names.js';
import { bindInvitation } from '../widgets/sharing.js';
import { makeCell, makeRanking, makeRow } from './parts.js';

/**
 * @import {GameStandings, MemberStanding, Pair, RoomView, TableHistory, TableMember, TableRound} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof makePage>} Page
 */

const POLL_MS = 60_000;
const DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const FIRST_RACES_LISTED = 4;
/** The worst place counts as at least this, so that a second place never has the lowest bar. */
const MIN_WORST_PLACE = 4;

/** Return a bar's properties for each place: better places have higher bars. @param {readonly number[]} places */
export function barsOf(places) {
  const worst = Math.max(MIN_WORST_PLACE, ...places);
  const heightOf = (/** @type {number} */ place) => (worst + 1 - place) / worst;
  return places.map((place) => ({ 'data-first': place === 1, '--part': heightOf(place) }));
}

/**
 * Return the figures of two members head to head, as pairs of numbers; null if they never met.
 * @param {readonly Pair[]} pairs @param {number} one a seat, whose figures come first @param {number} other
 */
export function headToHead(pairs, one, other) {
  const pair = pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
  if (!pair) return null;
  /** Put the figure of `one` first. @template T @param {T[]} both the figures of `pair.a` and `pair.b` */
  const inOrder = (...both) => (pair.a === one ? both : both.toReversed());
  return {
    won: inOrder(pair.ahead, pair.behind),
    average: inOrder(pair.average_a, pair.average_b),
    best: inOrder(pair.best_a, pair.best_b),
    widest: inOrder(pair.widest_a, pair.widest_b),
    last: pair.last,
  };
}

/**
 * Return the seats of the two members to compare at first: this player, or the best member if this player has no row,
 * and the one whom that member has met most often.
 * @param {GameStandings} game @param {number} me this player's seat
 */
export function firstPair({ rows, pairs }, me) {
  const one = (rows.find(({ seat }) => seat === me) ?? rows[0])?.seat ?? -1;
  const met = pairs.filter(({ a, b }) => a === one || b === one);
  const [most] = met.toSorted((x, y) => y.races - x.races);
  if (most) return [one, most.a === one ? most.b : most.a];
  return [one, rows.find(({ seat }) => seat !== one)?.seat ?? -1];
}

/** List members with their states, those here first. @param {readonly TableMember[]} members @param {RoomView} room */
export function membersOf(members, { seats }) {
  const all = members.map((member) => {
    const seat = seats.find((each) => each.seat === member.seat);
    const isHere = seat ? seat.connection === 'on' : member.here; // the room is newer than the history
    return { ...member, isHere, state: isHere ? seat?.state : undefined };
  });
  return all.toSorted((a, b) => Number(b.isHere) - Number(a.isHere));
}

/** Return a member's name, or “somebody” once the server has forgotten it. @param {string | undefined} name */
function nameOf(name) {
  return name || strings.TABLE.somebody;
}

/** Return a number with one decimal, as text. @param {number} n */
function decimal(n) {
  return n.toLocaleString(strings.YOURS.locale, DECIMAL);
}

/** Return a time's day and month as text. @param {number} ms */
const dateOf = (ms) =>
  new Intl.DateTimeFormat(strings.YOURS.locale, { day: 'numeric', month: 'long' }).format(ms);

/**
 * Return a member's place in the standings. Members with equal figures share a place.
 * @param {readonly MemberStanding[]} rows best first @param {MemberStanding} row the member's
 */
export const placeOf = (rows, { wins, podiums, average }) =>
  1 +
  rows.findIndex(
    (each) => each.wins === wins && each.podiums === podiums && each.average === average,
  );

/** Make a member's row in the standings. @param {MemberStanding} row @param {number} place @param {boolean} isOwn */
function makeStanding(row, place, isOwn) {
  const { seat, colour, wins, average, best_ms: ms, best_score: score, form } = row;
  const bars = barsOf(form).map((bar) => h('i', bar));
  const label = `${strings.YOURS.FORM.spoken} ${form.join(', ')}`;
  const looks = { class: 'day-bars table-form', role: 'img', 'aria-label': label };
  const figures = {
    ...{ seat, colour, isOwn, program: undefined, place, isFirst: place === 1 },
    name: isOwn ? strings.you(row.name) : nameOf(row.name),
    small: strings.TABLE.figures(row, decimal(average)),
    result: strings.TABLE.wins(wins),
  };
  // These cells are named as in other rankings, whose style puts them on a second line on a phone.
  const best = makeCell('behind', ms === null ? String(score ?? '–') : strings.clock(ms));
  return makeRow(figures, best, makeCell('suits', h('span', looks, ...bars)));
}

/** Make the lines that compare two members' figures. @param {NonNullable<ReturnType<typeof headToHead>>} figures */
function makeFigures({ average, best, widest }) {
  const timeOf = (/** @type {number | null} */ ms) => (ms === null ? '–' : strings.clock(ms));
  const texts = [average.map(decimal), best.map(timeOf), widest.map(timeOf)];
  const lines = texts.map((both, i) => {
    const [first, second] = both.map((text) => h('b', { text }));
    const about = h('span', { class: 'text-small', text: strings.TABLE.duel[i] });
    return h('li', { class: 'line between' }, first, about, second);
  });
  return h('ul', { class: 'stack' }, ...lines);
}

/** Make the head-to-head of two members: score and figures. @param {GameStandings} game @param {readonly number[]} pair their seats */
function compare({ rows, pairs }, [one = -1, other = -1]) {
  const words = strings.TABLE;
  const figures = headToHead(pairs, one, other);
  if (!figures)
    return { score: ':', parts: [h('p', { class: 'text-small', text: words.neverMet })] };
  const memberAt = (/** @type {number | null} */ seat) => rows.find((each) => each.seat === seat);
  const bars = [one, other].map((seat, i) => {
    const looks = { 'data-colour': memberAt(seat)?.colour, 'data-on': true };
    return h('i', { ...looks, '--part': figures.won[i] });
  });
  const ahead = figures.last.map(memberAt); // in each of the last races; undefined for a tie
  const label = ahead.map((member) => (member ? nameOf(member.name) : '=')).join(', ');
  const marks = ahead.map((member) => h('span', {}, member ? seatMark(member.colour) : '='));
  const last = h('span', { class: 'line', role: 'img', 'aria-label': label }, ...marks);
  const split = h('p', { class: 'notches yours-split', 'aria-hidden': 'true' }, ...bars);
  const lately = h('p', { class: 'row between' }, words.lately, last);
  return { score: figures.won.join('\u00a0:\u00a0'), parts: [split, makeFigures(figures), lately] };
}

/** Make the row of a race. @param {TableRound} round @param {string} code the room's */
function makeRound({ n, ended, game, why, replay, rows, window_s: openForS }, code) {
  const first = rows.find(({ place }) => place === 1) ?? rows[0];
  const text = nameOf(first?.name);
  const date = strings.dayAndTime(ended);
  // The replay opens in another tab, since this one has the seat.
  const link = { href: `/r/${code}/${n}`, target: '_blank', 'aria-label': `${text}, ${date}` };
  const title = replay ? h('a', { ...link, text }) : h('span', { text });
  const rules = [strings.suitsOf(game), openForS && strings.duration(openForS)];
  const about = [date, ...rules, strings.dayPlayers(rows.length), why && strings.TABLE.WHY[why]];
  const facts = h('span', { class: 'text-note text-items' });
  writeItems(facts, about.filter(Boolean).join(' · '));
  const mark = h('span', {}, seatMark(first?.colour ?? ''));
  const who = h('span', {}, h('b', { dir: 'auto' }, title), facts);
  const end = h('b', { 'data-part': 'result', text: first ? strings.dayResult(first) : '' });
  return h('li', { class: 'pane-row results-row', 'data-round': n }, mark, who, end);
}

/** Make a member's list item. @param {ReturnType<typeof membersOf>[number]} member @param {boolean} isOwn */
function makeMember({ seat, name, colour, isHere, state, last_ms: lastMs }, isOwn) {
  const who = h('b', { class: 'text-cut', dir: 'auto' });
  writeName(who, isOwn ? strings.you(name) : nameOf(name), undefined, colour);
  const words = strings.TABLE;
  const present = words.STATES[state ?? ''] ?? words.here;
  const text = isHere ? present : lastMs && strings.dayAndTime(lastMs);
  const about = h('small', { class: 'text-note', 'data-live': isHere, text });
  return h('li', { class: isHere ? 'stack' : 'stack text-small', 'data-seat': seat }, who, about);
}

/**
 * Make the menu that chooses a member to compare.
 * @param {GameStandings} game @param {number} chosen a seat @param {(seat: number) => void} choose
 */
function makeMemberChoice({ rows }, chosen, choose) {
  const options = rows.map(({ seat, name }) => h('option', { value: seat, text: nameOf(name) }));
  const onchange = () => choose(Number(field.value));
  const field = h('select', { 'aria-label': strings.TABLE.members, onchange }, ...options);
  field.value = String(chosen);
  return field;
}

/** Make the elements of the page, and lay them out. @param {() => void} invite opens the invitation */
function makeParts(invite) {
  const words = strings.TABLE;
  const looks = { id: 'table-race', 'data-kind': 'primary', 'data-size': 'big', text: words.go };
  const parts = {
    element: h('div', { class: 'results', id: 'table' }),
    bar: h('footer', { class: 'bar' }),
    title: h('h1', { class: 'day-title' }),
    lead: h('p', { class: 'text-small' }),
    people: h('ul', { class: 'stack yours-columns', '--least': '9rem' }),
    hereCount: h('span', { class: 'text-note' }),
    games: h('div'),
    ranking: h('div', { class: 'table-ranking' }),
    memberMenus: h('div', { class: 'line' }),
    comparison: h('div', { class: 'stack' }),
    races: h('ol', { class: 'pane-rows yours-columns', '--least': '24rem' }),
    allRaces: h('button', { id: 'table-all', 'data-kind': 'link' }),
    whoIsHere: h('p'),
    raceButton: h('button', looks),
  };
  const versus = makePane('table-versus', words.versus, '', parts.memberMenus, parts.comparison);
  const members = makePane('table-members', words.members, parts.hereCount, parts.people);
  const races = makePane('table-races', words.races, parts.allRaces, parts.races);
  races.classList.add('results-wide');
  races.hidden = true;
  const head = h('header', {}, parts.title, parts.lead);
  const standings = makePane('table-standings', words.VIEWS.standings, parts.games, parts.ranking);
  const side = h('div', { class: 'stack day-side' }, members, versus);
  const columns = { class: 'page stack results-grid day-columns' };
  const send = iconButton('share', { class: 'line', onclick: invite }, strings.ROOM.inviteShort);
  parts.bar.append(parts.whoIsHere, send, parts.raceButton);
  parts.element.append(h('div', columns, head, standings, side, races), parts.bar);
  return { ...parts, versus };
}

/** @param {HTMLElement} root @param {App} app @param {string} code @returns {Bound} */
export function bindTable(root, app, code) {
  const { dialog, invite, showLink } = bindInvitation();
  const page = makePage(app, code, invite);
  const { head, bar, allRaces, raceButton } = page;
  root.replaceChildren(page.element, dialog);
  allRaces.addEventListener('click', () => showAll(page));
  raceButton.addEventListener('click', () => askForRace(app));
  const unshare = shareHeight(bar);
  const fetching = keepFetching(
    () => fetchDocument(`/api/rooms/${code}/table`),
    (found) => showHistory(page, found),
  );
  return {
    top: [leaveButton(app.leave, true), head.views, head.menu],
    /** Draw the people, and fetch the history again after a race, or when a name has changed. */
    update(state) {
      const { room } = state;
      if (!room?.kept) return;
      head.update(state);
      showLink(room);
      drawPeople(page, room, room.kept);
      const { races, name } = room.kept;
      const version = [races, name, ...room.seats.map((each) => each.name)].join();
      if (page.version && page.version !== version) fetching.now();
      page.version = version;
    },
    unbind: callAll(fetching.stop, head.unbind, unshare),
  };
}

/** Make the page object. @param {App} app @param {string} code @param {() => void} invite opens the invitation */
function makePage(app, code, invite) {
  return {
    ...{ app, code },
    ...makeParts(invite),
    head: bindTableHead(app, 'table'),
    history: /** @type {TableHistory | null} */ (null),
    /** What the history was last fetched for: the number of races, and the names. */
    version: '',
    chosenGame: '', // whose figures are shown
    comparedSeats: [-1, -1], // the two members to compare; -1 before they are chosen
    racesListed: FIRST_RACES_LISTED,
  };
}

/** Go to the room. Ask for a race there, unless the player is alone or only the host starts races. @param {App} app */
function askForRace(app) {
  const { room } = app.state();
  const isInLobby = room?.state === 'LOBBY';
  if (room && !isLone(room) && !isOpenRace(room))
    app.send(isInLobby ? { type: 'ready', ready: true } : { type: 'rematch', wanted: true });
  app.showTable(false); // but the room
}

/** List all races, and focus the first one that was hidden. @param {Page} page */
function showAll(page) {
  page.racesListed = Infinity;
  drawRaces(page);
  const links = [...page.races.children].map((row) => row.querySelector('a'));
  links.find((link, i) => link && i >= FIRST_RACES_LISTED)?.focus();
}

/** List the last races, if any. @param {Page} page */
function drawRaces({ history, races, allRaces, racesListed, code }) {
  const rounds = history?.rounds ?? [];
  races.replaceChildren(...rounds.slice(0, racesListed).map((round) => makeRound(round, code)));
  races.parentElement?.toggleAttribute('hidden', rounds.length === 0);
  set(allRaces, { text: strings.YOURS.more(rounds.length), hidden: rounds.length <= racesListed });
}

/** Draw the choice of a game, and its standings. @param {Page} page @param {TableHistory} history */
function drawGames(page, { standings, rounds }) {
  const latest = rounds.find(({ counted }) => counted)?.game ?? '';
  if (!standings.some(({ game }) => game === page.chosenGame)) page.chosenGame = latest;
  const names = Object.fromEntries(standings.map(({ game }) => [game, strings.suitsOf(game)]));
  const choice = makeRadios('table-game', strings.LANDING.game, names);
  for (const input of choice.querySelectorAll('input'))
    input.checked = input.value === page.chosenGame;
  choice.addEventListener('change', ({ target }) => {
    page.chosenGame = /** @type {HTMLInputElement} */ (target).value;
    page.comparedSeats = [-1, -1];
    drawStandings(page);
  });
  page.games.replaceChildren(choice);
  set(page.games, { hidden: standings.length < 2 });
  drawStandings(page);
}

/** Draw the standings of the chosen game, and two of its members head to head. @param {Page} page */
function drawStandings(page) {
  const { history, chosenGame, versus, ranking, memberMenus } = page;
  const words = strings.TABLE;
  const me = page.app.state().me?.seat ?? -1;
  const game = history?.standings.find((each) => each.game === chosenGame);
  set(versus, { hidden: !game || game.rows.length < 2 });
  if (!game) return ranking.replaceChildren(h('p', { class: 'text-small', text: words.none }));
  const named = { id: 'table-ranking', 'aria-label': words.VIEWS.standings };
  const { element, rows } = makeRanking(named, ...words.columns);
  const made = game.rows.map((row) => makeStanding(row, placeOf(game.rows, row), row.seat === me));
  rows.append(...made);
  ranking.replaceChildren(element);
  if (!page.comparedSeats.every((seat) => game.rows.some((row) => row.seat === seat)))
    page.comparedSeats = firstPair(game, me);
  const score = h('b', { class: 'day-title' });
  const drawComparison = () => {
    const compared = compare(game, page.comparedSeats);
    set(score, { text: compared.score });
    page.comparison.replaceChildren(...compared.parts);
  };
  const [one = '', other = ''] = page.comparedSeats.map((seat, i) =>
    makeMemberChoice(game, seat, (now) => {
      page.comparedSeats[i] = now;
      drawComparison();
    }),
  );
  memberMenus.replaceChildren(one, score, other);
  drawComparison();
}

/** Draw title and people. @param {Page} page @param {RoomView} room @param {NonNullable<RoomView['kept']>} kept */
function drawPeople(page, room, { races, since, until }) {
  const { title, lead, people, hereCount, whoIsHere, history } = page;
  const me = page.app.state().me?.seat ?? -1;
  set(title, { text: nameOfTable(room) });
  writeItems(lead, strings.TABLE.lead(races, dateOf(since), dateOf(until)));
  const members = membersOf(history?.members ?? [], room);
  keyed(people, members, JSON.stringify, (member) => makeMember(member, member.seat === me));
  const here = members.filter(({ isHere }) => isHere);
  set(hereCount, { text: strings.TABLE.hereNow(here.length), 'data-live': here.length > 0 });
  const others = here.filter(({ seat }) => seat !== me).map((each) => nameOf(each.name));
  set(whoIsHere, { text: others.length > 0 ? `${strings.tableAbout(others, null)}.` : '' });
}

/** Show the history; return the ms until the next request. @param {Page} page @param {TableHistory | null} [found] */
function showHistory(page, found) {
  const before = page.history;
  if (!found && !before) set(page.ranking, { text: strings.NOT_LOADED }); // the next request may succeed
  page.history = found ?? before;
  /** Return whether a part of the history has changed. @param {'standings' | 'rounds'} part */
  const differs = (part) => JSON.stringify(page.history?.[part]) !== JSON.stringify(before?.[part]);
  if (found && differs('standings')) drawGames(page, found); // new menus would lose the focus
  if (differs('rounds')) drawRaces(page);
  const { room } = page.app.state();
  if (room?.kept) drawPeople(page, room, room.kept);
  return POLL_MS;
}
