// The page of a kept table, the second view of its lobby and its results: who is here, the standings of each
// game, two members head to head, and the last races. The figures are the server's.

import { fetchDocument, keepFetching } from '../page/loads.js';
import { bindInvitation } from '../room/invitation.js';
import { bindTableHead } from '../room/table.js';
import { isLone, isWindow } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makePane, makeRadios, seatMark, writeName } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';
import {
  iconButton,
  leaveButton,
  nameOfTable,
  shareHeight,
  tableHead,
  writeItems,
} from '../widgets/room-parts.js';

/**
 * @import {GameStandings, MemberStanding, Pair, RoomView, TableHistory, TableMember, TableRound} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 */

const POLL_MS = 60_000;
/** How many races are listed before the player asks for all. */
const FEW = 4;
/** The least number of heights of a bar. */
const HEIGHTS = 4;

/** Return the bars of the latest places: the better the place, the higher the bar. @param {readonly number[]} places */
export function barsOf(places) {
  const worst = Math.max(HEIGHTS, ...places);
  return places.map((place) => ({ isFirst: place === 1, part: (worst + 1 - place) / worst }));
}

/** Return how two members did against each other, the figures of the first one first; null if they never met. @param {readonly Pair[]} pairs @param {number} one @param {number} other */
export function duelOf(pairs, one, other) {
  const pair = pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
  if (!pair) return null;
  /** @template T @param {T[]} both */
  const turned = (...both) => (pair.a === one ? both : both.toReversed());
  return {
    ...pair,
    won: turned(pair.ahead, pair.behind),
    average: turned(pair.average_a, pair.average_b),
    best: turned(pair.best_a, pair.best_b),
    widest: turned(pair.widest_a, pair.widest_b),
  };
}

/** Return the two members who are compared first: this player, or else the first in the standings, and the one met most often. @param {GameStandings} game @param {number} me this player's seat */
export function firstPair({ rows, pairs }, me) {
  const one = rows.find(({ seat }) => seat === me)?.seat ?? rows[0]?.seat ?? -1;
  const [met] = pairs
    .filter(({ a, b }) => a === one || b === one)
    .toSorted((x, y) => y.races - x.races);
  const other = rows.find(({ seat }) => seat !== one)?.seat ?? -1;
  return [one, met ? met.a + met.b - one : other];
}

/** Return the members with what they do, those who are here first. @param {readonly TableMember[]} members @param {RoomView} room */
export function membersOf(members, { seats }) {
  const all = members.map((member) => {
    const seat = seats.find((each) => each.seat === member.seat);
    const isHere = seat ? seat.connection === 'on' : member.here;
    return { ...member, isHere, state: isHere ? seat?.state : undefined };
  });
  return all.toSorted((a, b) => Number(b.isHere) - Number(a.isHere));
}

/** Return a date of these months. @param {number} ms */
const dateOf = (ms) =>
  new Intl.DateTimeFormat(strings.YOURS.locale, { day: 'numeric', month: 'long' }).format(ms);

/** Return the name of a member; one who was forgotten has none. @param {string} name */
function nameOf(name) {
  return name || strings.TABLE.somebody;
}

/** Make the name of a member, with the mark. @param {{name: string, colour: string}} member @param {boolean} [isOwn] */
function makeName({ name, colour }, isOwn = false) {
  const element = h('b', { class: 'text-cut', dir: 'auto' });
  writeName(element, isOwn ? strings.you(name) : nameOf(name), undefined, colour);
  return element;
}

/** Make the row of a member in the standings. @param {MemberStanding} row @param {number} at @param {boolean} isOwn */
function makeStanding(row, at, isOwn) {
  const { races, wins, podiums, average, best_ms: ms, best_score: score, form } = row;
  const bars = barsOf(form).map(({ isFirst, part }) =>
    h('i', { 'data-first': isFirst, '--part': part }),
  );
  const words = strings.TABLE;
  const label = words.form(form);
  const best = ms === null ? (score ?? '–') : strings.clock(ms);
  const about = h('small', {
    class: 'text-note',
    text: words.figures(races, podiums, words.decimal(average)),
  });
  const cells = [races, wins, podiums, words.decimal(average), best];
  const looks = { class: 'table-row mark-tone', 'data-colour': row.colour, 'data-own': isOwn };
  return h(
    'tr',
    { ...looks, 'data-seat': row.seat },
    h('td', { 'data-first': at === 0, text: at + 1 }),
    h('th', { scope: 'row' }, makeName(row, isOwn), about),
    ...cells.map((text) => h('td', { text })),
    h('td', {}, h('span', { class: 'table-form', role: 'img', 'aria-label': label }, ...bars)),
  );
}

/** Make the comparison of two members, below their names. @param {GameStandings} game @param {readonly number[]} pair */
function makeDuel({ rows, pairs }, [one = -1, other = -1]) {
  const words = strings.TABLE;
  const duel = duelOf(pairs, one, other);
  if (!duel) return { won: ':', parts: [h('p', { class: 'text-small', text: words.neverMet })] };
  const memberAt = (/** @type {number | null} */ seat) => rows.find((each) => each.seat === seat);
  const bars = duel.won.map((n, i) => {
    const colour = memberAt(i === 0 ? one : other)?.colour;
    return h('i', { class: 'mark-tone', 'data-colour': colour, 'data-on': true, '--part': n });
  });
  const timeOf = (/** @type {number | null} */ ms) => (ms === null ? '–' : strings.clock(ms));
  const figures = [
    duel.average.map(words.decimal),
    ...[duel.best, duel.widest].map((both) => both.map(timeOf)),
  ];
  const lines = figures.map(([first, second], i) =>
    h(
      'tr',
      {},
      h('td', { text: first }),
      h('th', { scope: 'row', text: words.duel[i] }),
      h('td', { text: second }),
    ),
  );
  const ahead = duel.last.map(memberAt);
  const label = ahead.map((member) => (member ? nameOf(member.name) : '=')).join(', ');
  const marks = ahead.map((member) => h('span', {}, member ? seatMark(member.colour) : '='));
  const parts = [
    h('p', { class: 'notches table-split', 'aria-hidden': 'true' }, ...bars),
    h('table', { class: 'table-duel' }, h('tbody', {}, ...lines)),
    h(
      'p',
      { class: 'row between' },
      words.lately,
      h('span', { class: 'line', role: 'img', 'aria-label': label }, ...marks),
    ),
  ];
  return { won: duel.won.join(' : '), parts };
}

/** Make the row of a race; its replay opens in another tab, as the seat is in this one. @param {TableRound} round @param {string} code */
function makeRound({ n, ended, game, why, replay, rows, window_s: window }, code) {
  const words = strings.TABLE;
  const first = rows.find(({ place }) => place === 1) ?? rows[0];
  const about = [
    strings.dayAndTime(ended),
    strings.suitsOf(game),
    window && strings.duration(window),
    strings.dayPlayers(rows.length),
    why && words.WHY[why],
  ];
  const text = nameOf(first?.name ?? '');
  const title = replay
    ? h('a', {
        href: `/r/${code}/${n}`,
        target: '_blank',
        'aria-label': words.raceOf(text, ended),
        text,
      })
    : h('span', { text });
  const facts = h('span', { class: 'text-note text-items' });
  writeItems(facts, about.filter(Boolean).join(' · '));
  return h(
    'li',
    { class: 'pane-row results-row', 'data-round': n },
    h('span', {}, seatMark(first?.colour ?? '')),
    h('span', {}, h('bdi', {}, title), facts),
    h('b', { 'data-part': 'result', text: first ? strings.dayResult(first) : '' }),
  );
}

/** Make the choice of a member for the comparison. @param {GameStandings} game @param {number | undefined} chosen @param {(seat: number) => void} choose */
function makeChoice({ rows }, chosen, choose) {
  const options = rows.map(({ seat, name }) => h('option', { value: seat, text: nameOf(name) }));
  const field = h('select', { 'aria-label': strings.TABLE.choose }, ...options);
  field.value = String(chosen);
  field.addEventListener('change', () => choose(Number(field.value)));
  return field;
}

/** Make the choice of the game. @param {readonly GameStandings[]} games @param {string} chosen @param {(game: string) => void} choose */
function makeGames(games, chosen, choose) {
  const names = Object.fromEntries(games.map(({ game }) => [game, strings.suitsOf(game)]));
  const element = makeRadios('table-game', strings.LANDING.game, names);
  for (const input of element.querySelectorAll('input')) {
    input.checked = input.value === chosen;
    input.addEventListener('change', () => choose(input.value));
  }
  return element;
}

/** Make the list of the members. @param {readonly TableMember[]} members @param {RoomView} room @param {number} me */
function makeMembers(members, room, me) {
  const all = membersOf(members, room);
  const items = all.map((member) => {
    const { seat, isHere, state, last_ms: last } = member;
    const words = isHere
      ? strings.TABLE.here(state)
      : last === null
        ? ''
        : strings.dayAndTime(last);
    const about = h('small', { class: 'text-note', 'data-live': isHere, text: words });
    const looks = { class: 'table-member', 'data-seat': seat, 'data-away': !isHere };
    return h('li', looks, makeName(member, seat === me), ' ', about);
  });
  return { items, here: all.filter(({ isHere }) => isHere) };
}

/** Bind the page. @param {HTMLElement} root @param {App} app @param {string} code @returns {Bound} */
export function bindTable(root, app, code) {
  const words = strings.TABLE;
  const head = bindTableHead(app, 'table');
  const leave = leaveButton(app.leave);
  set(leave, { 'data-short': true });
  const invitation = bindInvitation();
  const title = h('h1', { tabindex: -1, text: ' ' });
  const lead = h('p', { class: 'text-small' });
  const people = h('ul', { class: 'table-members' });
  const count = h('span', { class: 'text-note' });
  const games = h('div');
  const ranking = h('div');
  const choices = h('div', { class: 'table-choices' });
  const duel = h('div', { class: 'stack' });
  const races = h('ol', { class: 'pane-rows table-races' });
  const all = h('button', { id: 'table-all', 'data-kind': 'link', onclick: showAll });
  const versus = makePane('table-versus', words.versus, '', choices, duel);
  const grid = h(
    'div',
    { class: 'page stack results-grid table-grid' },
    h('header', {}, title, lead),
    makePane('table-members', words.members, count, people),
    makePane('table-standings', words.VIEWS.standings, games, ranking),
    versus,
    makePane('table-races', words.races, all, races),
  );
  grid.lastElementChild?.classList.add('results-wide');
  const waiting = h('p');
  const invite = iconButton(
    'share',
    { class: 'line', onclick: invitation.invite },
    strings.ROOM.inviteShort,
  );
  const go = h('button', {
    id: 'table-race',
    'data-kind': 'primary',
    'data-size': 'big',
    text: words.go,
    onclick: race,
  });
  const bar = h('footer', { class: 'bar' }, waiting, invite, go);
  root.replaceChildren(h('div', { class: 'results', id: 'table' }, grid, bar, invitation.dialog));
  const unshare = shareHeight(bar);
  /** @type {TableHistory | null} */
  let history = null;
  let known = ''; // what of the room the history was fetched for
  let chosen = ''; // the game
  let most = FEW;
  const me = () => app.state().me?.seat ?? -1;

  /** Ask for a race, unless this player is alone or the host opens it, and show the room. */
  function race() {
    app.sound.wake();
    const { room } = app.state();
    if (room && !isLone(room) && !isWindow(room))
      app.send(
        room.state === 'LOBBY' ? { type: 'ready', ready: true } : { type: 'rematch', wanted: true },
      );
    app.showTable(false);
  }
  function showAll() {
    const before = most;
    most = history?.rounds.length ?? FEW;
    drawRaces();
    races.children[before]?.querySelector('a')?.focus();
  }

  /** Draw the standings of the chosen game and, anew, its comparison. */
  function drawGame() {
    const game = history?.standings.find((each) => each.game === chosen);
    set(versus, { hidden: !game || game.rows.length < 2 });
    if (!game) return ranking.replaceChildren(h('p', { class: 'text-small', text: words.none }));
    const rows = game.rows.map((row, at) => makeStanding(row, at, row.seat === me()));
    ranking.replaceChildren(
      h('table', { class: 'table-ranking' }, tableHead(words.columns), h('tbody', {}, ...rows)),
    );
    const pair = firstPair(game, me());
    const won = h('b');
    const drawDuel = () => {
      const drawn = makeDuel(game, pair);
      write(won, drawn.won);
      duel.replaceChildren(...drawn.parts);
    };
    const [one, other] = [0, 1].map((i) =>
      makeChoice(game, pair[i], (seat) => {
        pair[i] = seat;
        drawDuel();
      }),
    );
    choices.replaceChildren(one, won, other);
    drawDuel();
  }
  function drawRaces() {
    const rounds = history?.rounds ?? [];
    races.replaceChildren(...rounds.slice(0, most).map((each) => makeRound(each, code)));
    set(all, { text: words.all(rounds.length), hidden: rounds.length <= most });
  }

  /** Show the history. @param {TableHistory | null | undefined} found */
  function show(found) {
    if (found && JSON.stringify(found) !== JSON.stringify(history)) {
      history = found;
      const { standings, rounds } = found;
      const latest = rounds.find(({ counted }) => counted)?.game;
      if (!standings.some(({ game }) => game === chosen)) chosen = latest ?? '';
      games.replaceChildren(
        makeGames(standings, chosen, (game) => {
          chosen = game;
          drawGame();
        }),
      );
      set(games, { hidden: standings.length < 2 });
      drawGame();
      drawRaces();
      update(app.state());
    }
    return POLL_MS;
  }

  /** Draw who is here. @param {State} state */
  function update(state) {
    const { room } = state;
    if (!room?.kept) return;
    const { races: n, since, until, name } = room.kept;
    head.update(state);
    invitation.update(state, room, null);
    write(title, nameOfTable(room));
    writeItems(lead, words.lead(n, dateOf(since), dateOf(until)));
    const { items, here } = makeMembers(history?.members ?? [], room, me());
    people.replaceChildren(...items);
    set(count, { text: words.hereNow(here.length), 'data-live': here.length > 0 });
    const others = here.filter(({ seat }) => seat !== me()).map((each) => nameOf(each.name));
    write(waiting, others.length > 0 ? `${strings.tableAbout(others, null)}.` : '');
    const next = [n, name, room.seats.length].join();
    if (known && known !== next) fetching.now();
    known = next;
  }

  const fetching = keepFetching(() => fetchDocument(`/api/rooms/${code}/table`), show);
  return {
    top: [leave, head.views, head.menu],
    update,
    unbind() {
      fetching.stop();
      head.unbind();
      unshare();
    },
  };
}
