// A kept table: keeping it, its page, its menu, moving a seat to another device, and the tables on the front page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { atRoom, CODE, INVITATION, joined, refused, round } = scenes;
const DAY = 86_400_000;
const PATH = `/api/rooms/${CODE}`;
const HISTORY = `${PATH}/table`;
const ADA = seat(0, 'Ada', { colour: 'blue' });
const BOB = seat(1, 'Bob', { colour: 'red' });
const READY = { ...BOB, state: 'READY' };
const KEPT = { name: 'Fridays', since: NOW, until: NOW + 90 * DAY, races: 2 };
const kept = (seats = [ADA, BOB], change = {}) => room(seats, { host: 0, kept: KEPT, ...change });
const keptMessage = (seats, change) => ({ type: 'room', room: kept(seats, change) });

const row = (of, place, change) => ({
  ...{
    seat: of.seat,
    name: of.name,
    colour: of.colour,
    place,
    state: 'FINISHED',
    won: place === 1,
  },
  ...{ ms: place === 1 ? 221_000 : null, score: 900, suits: 8, moves: 120, flags: [], ...change },
});
const RULES = {
  game: 'spider-1',
  time_limit_s: 900,
  window_s: null,
  score: 'woods',
  deal: 'secret',
};
const raced = (n, rows, change) => ({
  ...{ n, ended: NOW, ...RULES, counted: true, why: '', replay: true, rows, ...change },
});
const standing = ({ seat: n, name, colour }, wins, form) => ({
  ...{ seat: n, name, colour, races: form.length, wins, podiums: form.length, average: 1.25 },
  ...{ best_ms: wins ? 221_000 : null, best_score: 900, form },
});
const PAIR = {
  ...{ a: 0, b: 1, races: 2, ahead: 1, behind: 1, average_a: 1.5, average_b: 1.5 },
  ...{ best_a: 221_000, best_b: null, widest_a: null, widest_b: null, last: [1, 0] },
};
const member = ({ seat: n, name, colour }, change) => ({
  ...{ seat: n, name, colour, here: false, last_ms: NOW, ...change },
});
const history = (change) => ({
  ...{ room: CODE, name: 'Fridays', since: NOW, until: KEPT.until },
  members: [member(ADA), member(BOB)],
  rounds: [raced(2, [row(ADA, 1), row(BOB, 2)]), raced(1, [row(BOB, 1), row(ADA, 2)])],
  standings: [
    { game: 'spider-1', rows: [standing(BOB, 1, [2, 1]), standing(ADA, 1, [1, 2])], pairs: [PAIR] },
  ],
  ...change,
});

/** Open the page of a kept table. @param {any} [found] its history @param {any} [of] the room */
async function atTable(found = history(), of = kept()) {
  const page = await atRoom(of, { answers: { [HISTORY]: found } });
  await page.click('#view-table');
  page.shows({ screen: 'table', '#table h1': 'Fridays' });
  return page;
}

test('only the host of a room for several keeps it, and a refusal appears in the status line', async () => {
  const page = await atRoom(room([ADA, BOB], { host: 0 }));
  page.shows({ '#view-table': false, '#table-menu': true });
  await page.click('#table-menu');
  await page.sends('#keep', { type: 'keep', name: '', kept: true });
  const full = 'Your network already keeps as many tables as it may.';
  await page.hears(refused('keep', 'too_many_kept'), { said: full, '#view-table': false });
  await page.hears(keptMessage(), { '#view-table': true, '#table-title': 'Fridays' });
  page.shows({ spoken: 'This table stays: its link, its seats and its results.' });
  const nameless = { kept: { ...KEPT, name: '' } };
  await page.hears(keptMessage(undefined, nameless), { '#table-title': '\u2068Ada\u2069’s table' });
  const guest = await atRoom(room([ADA, BOB], { host: 1 }));
  guest.shows({ '#table-menu': false });
  const alone = await atRoom(room([ADA], { host: 0, settings: { max_players: 1 } }));
  alone.shows({ '#table-menu': false });
});

test('the table’s page has who is here, the standings, two members head to head, and the races', async () => {
  const page = await atTable(history(), kept([ADA, READY]));
  page.shows({ '#table-members header span': '2 here now' });
  page.shows({ '#table-members li': ['Ada (you)here', 'Bobhere, ready'] });
  const [bob, ada] = [
    'Bob 2 races · 2 podiums · avg. 1.3',
    'Ada (you) 2 races · 2 podiums · avg. 1.3',
  ];
  const rest = ['1 win', '3:41', ''];
  page.shows({ '#table-ranking td': ['1', bob, ...rest, '1', ada, ...rest] }); // they share it
  const label = page.find('#table-ranking [role=img]').getAttribute('aria-label');
  assert.equal(label, 'Oldest first: 2, 1');
  page.shows({ '#table-versus select': '0', '#table-versus .day-title': '1\u00a0:\u00a01' });
  page.shows({ '#table-versus li': ['1.5average place1.5', '3:41best time–', '–widest win–'] });
  const [latest] = page.all('#table-races a');
  assert.deepEqual([latest.getAttribute('href'), latest.target], [`/r/${CODE}/2`, '_blank']);
  page.shows({ '#table-all': false, '#table .bar p': 'Bob is here.' });
  await page.sends('#table-race', { type: 'ready', ready: true });
  page.shows({ screen: 'room' });
});

test('between races the page is beside the results, and a start leaves it', async () => {
  const ended = { state: 'FINISHED', round: round({ ended: NOW }), played: 1, next_game: null };
  const page = await atTable(history(), kept([ADA, BOB], ended));
  page.shows({ '#view-room': 'Result' });
  await page.click('#view-room', { screen: 'results' });
  await page.click('#view-table', { screen: 'table' });
  await page.click('#table-menu', { '#table-actions': true });
  const on = { ...ended, state: 'COUNTDOWN', round: round({ n: 2, t0: NOW + 5_000 }) };
  await page.hears(keptMessage([READY, BOB], on), { screen: 'countdown', '#table-actions': false });
  await page.hears(keptMessage(), { screen: 'room' }); // the dialog stays closed
});

test('races that do not count say why, forgotten players are somebody, and all races can be listed', async () => {
  const reasons = ['stand_in', 'computers', 'latecomers'];
  const rounds = reasons.map((why, i) =>
    raced(9 - i, [row({ ...BOB, name: '' }, 1)], { counted: false, why, replay: i > 0 }),
  );
  for (let n = 6; n > 0; n -= 1) rounds.push(raced(n, [row(ADA, 1)], { window_s: 172_800 }));
  const page = await atTable(history({ rounds, standings: [] }));
  page.shows({ '#table-versus': false, '#table-standings p': 'No race has counted yet.' });
  const [first] = page.texts('#table-races li');
  assert.match(first, /^Somebody.* One suit · 1 player · not counted: a stand-in played3:41$/);
  page.shows({ '#table-races li': 4, '#table-races li a': 3 });
  assert.match(page.texts('#table-races li')[3], /One suit · 2 days · 1 player/);
  await page.click('#table-all', { '#table-races li': 9, '#table-all': false });
  await page.hears(keptMessage([ADA]), { '#table .bar p': '' });
});

test('another game and other members are compared as chosen, even if they never met', async () => {
  const one = history().standings[0];
  const cy = standing(seat(2, 'Cy', { colour: 'green' }), 0, [3]);
  const two = { game: 'spider-2', rows: [...one.rows, cy], pairs: [] };
  const page = await atTable(history({ standings: [one, two] }));
  await page.set('#table-standings [value=spider-2]', true, { '#table-ranking tbody tr': 3 });
  page.shows({ '#table-versus p': 'They haven’t raced each other yet.' });
  const [, other] = page.all('#table-versus select');
  await page.set(other, '2');
  assert.equal(other.value, '2');
  // An update keeps the choice and, if the standings are the same, its element.
  for (const [standings, isSame] of [
    [[one, two], true],
    [[one, { ...two, rows: two.rows.toReversed() }], false],
  ]) {
    page.answers[HISTORY] = history({ standings, members: [member(ADA)] });
    await page.pass(61_000);
    const [, now] = page.all('#table-versus select');
    assert.deepEqual([now === other, now.value], [isSame, '2']);
  }
});

test('without a history the room stays, and the page requests it again', async () => {
  const page = await atTable(500);
  const words = 'That couldn’t be loaded. Try again.';
  page.shows({ '#table-races li': 0, '#table-race': true, '.table-ranking': words });
  page.shows({ '#table-races': false });
  page.answers[HISTORY] = history();
  await page.pass(2_000, { '#table-races li': 2 });
  page.answers[HISTORY] = history({ rounds: [raced(3, [row(ADA, 1)]), ...history().rounds] });
  const [third, { races }] = [keptMessage(undefined, { kept: { ...KEPT, races: 3 } }), KEPT];
  await page.hears(third, { '#table-races li': races + 1 }); // without waiting for the next request
});

test('the host renames, locks, stops and deletes a kept table, and all but the lock ask first', async () => {
  const page = await atTable();
  const open = () => page.click('#table-menu');
  await open();
  await page.click('#table-do-rename');
  await page.set('#table-name', ' Thursdays ');
  await page.sends('#ask-yes', { type: 'keep', name: 'Thursdays', kept: true });
  await open();
  await page.click('#table-do-lock');
  assert.equal(page.sent('configure')[0].settings.locked, true);
  for (const [item, message] of [
    ['stop', { type: 'keep', name: '', kept: false }],
    ['delete', { type: 'delete_table' }],
  ]) {
    await open();
    await page.click(`#table-do-${item}`);
    await page.sends('#ask-no');
    await open();
    await page.click(`#table-do-${item}`);
    await page.sends('#ask-yes', message);
  }
  await page.drop(4_508, { screen: 'landing', said: 'The host deleted this table.' });
  assert.equal(page.window.localStorage['spider-race.seats'], '{}');
});

test('a member may only carry the seat, save the results, and be forgotten', async () => {
  const page = await atTable(history(), kept([ADA, BOB], { host: 1 }));
  await page.click('#table-menu');
  page.shows({ '#table-actions button': 2, '#table-actions a': 'Save the results (CSV)' });
  assert.equal(page.find('#table-actions a').getAttribute('href'), `${HISTORY}.csv`);
  await page.click('#table-do-members');
  page.shows({ '#members-dialog li': ['Bob', 'AdaForget'] });
  await page.click('#members-dialog [data-action=forget]');
  await page.sends('#ask-yes', { type: 'forget', seat: 0 });
});

test('the host forgets members who have gone, and hands over to present ones', async () => {
  const gone = { ...BOB, connection: 'gone' };
  for (const [bob, buttons] of [
    [BOB, 'BobMake host'],
    [gone, 'BobForget'],
  ]) {
    const page = await atTable(history(), kept([ADA, bob], { host: 0 }));
    await page.click('#table-menu');
    await page.click('#table-do-members');
    page.shows({ '#members-dialog li': [buttons, 'AdaForget'] });
  }
});

test('the code of a seat is shown once, and the old device learns where the seat is', async () => {
  const page = await atTable();
  await page.click('#table-menu');
  await page.sends('#table-do-carry', { type: 'carry' });
  const code = {
    type: 'carry_code',
    code: 'one-time',
    until: NOW + 600_000,
    qr: 'M4 4h7v1h-7z',
    size: 33,
  };
  await page.receive(code);
  page.shows({ '#carry-link': `http://spider.test/r/${CODE}#seat=one-time` });
  assert.equal(page.find('#carry-dialog svg').getAttribute('viewBox'), '0 0 33 33');
  await page.click('#carry-close');
  await page.click('#view-room', { '#carry-dialog': false });
  const moved = 'Your seat has moved to your other device.';
  await page.drop(4_509, { screen: 'landing', said: moved });
  assert.equal(page.window.localStorage['spider-race.seats'], '{}');
});

test('a seat that moves to another tab of this browser stays stored', async () => {
  const page = await atRoom(kept());
  const { localStorage } = page.window;
  localStorage['spider-race.seats'] = JSON.stringify({ [CODE]: { seat: 0, token: 'new' } });
  await page.drop(4_509, { screen: 'landing' });
  assert.match(localStorage['spider-race.seats'], /"token":"new"/);
});

test('a member who leaves the page of a kept table keeps the seat', async () => {
  const page = await atRoom(kept([ADA]));
  const { localStorage } = page.window;
  localStorage['spider-race.seats'] = JSON.stringify({ [CODE]: { seat: 0, token: 'own' } });
  await page.click('#leave', { screen: 'landing' });
  assert.deepEqual(page.sent('leave'), []);
  assert.match(localStorage['spider-race.seats'], /"token":"own"/);
});

test('a member is no longer ready after leaving the page', async () => {
  const page = await atRoom(kept([{ ...ADA, state: 'READY' }, BOB]));
  await page.click('#leave', { screen: 'landing' });
  assert.deepEqual(page.sent('ready'), [{ type: 'ready', ready: false }]);
});

test('a link with a seat takes it over, and leaves neither the address nor the storage with the code', async () => {
  const page = await openPage(`/r/${CODE}#seat=one-time`, { invitation: INVITATION });
  const everywhere = () => {
    const { location, history: steps, localStorage } = page.window;
    return [location.href, JSON.stringify(steps.state), JSON.stringify({ ...localStorage })].join();
  };
  assert.doesNotMatch(everywhere(), /one-time/);
  await page.accept();
  const [{ type, room: of, code, attempt }] = page.sentWhole('take_over');
  assert.deepEqual([type, of, code, attempt.length > 20], ['take_over', CODE, 'one-time', true]);
  await page.receive(joined(kept(), { token: 'fresh' }));
  page.shows({ screen: 'room' });
  assert.match(everywhere(), /fresh/);
  assert.doesNotMatch(everywhere(), /one-time/);
  assert.doesNotMatch(page.document.documentElement.outerHTML, /one-time/);
});

test('a code that was used or is late is refused in words, and the seat of this browser stays', async () => {
  const page = await openPage(`/r/${CODE}#seat=one-time`, { invitation: INVITATION });
  await page.accept(refused('take_over', 'bad_token'));
  const words = 'This link to a seat is too old, or was used. Get a new one on the other device.';
  page.shows({ screen: 'join', '#problem': words });
});

test('the front page has the tables of this browser first, with who is there', async () => {
  const table = { name: 'Fridays', raced: NOW - DAY };
  const stored = {
    name: 'Ada',
    room: CODE,
    seats: {
      AAAAAAA: { seat: 0, token: 't', table: { name: 'Old', raced: NOW - 9 * DAY } },
      [CODE]: { seat: 0, token: 't', until: NOW + DAY, table },
      BBBBBBB: { seat: 0, token: 't' },
    },
  };
  const found = { ...INVITATION, kept: true, here: ['Bob', 'Cy'] };
  const page = await openPage('/', { stored, answers: { [PATH]: found } });
  page.shows({ '#friends > :first-child b': 'Fridays', '#back': false });
  page.shows({ '#tables button': ['Fridays Bob and Cy are here · last raced yesterday'] });
  page.shows({ '#tables p': 'Old doesn’t exist any more.' }); // only on this visit
  page.answers[PATH] = { ...found, here: [] };
  await page.pass(30_000, { '#tables small': 'last raced yesterday' });
  await page.click('#tables button', { screen: 'seating' });
  await page.accept(joined(kept()));
  page.shows({ screen: 'room' });
  const seats = JSON.parse(page.window.localStorage['spider-race.seats']);
  assert.deepEqual(Object.keys(seats), ['BBBBBBB', CODE]);
  assert.deepEqual(seats[CODE].table, table); // still with the last race, which a lobby does not have
});

test('a hidden page says that somebody wants to race, until the player looks at it', async () => {
  const page = await atRoom(kept());
  Object.defineProperty(page.document, 'visibilityState', { value: 'hidden', configurable: true });
  await page.receive(keptMessage([ADA, READY]));
  assert.equal(page.document.title, 'Bob wants to race · Spider Race');
  Object.defineProperty(page.document, 'visibilityState', { value: 'visible', configurable: true });
  await page.fire(page.document, 'visibilitychange');
  assert.equal(page.document.title, 'Spider Race');
});
