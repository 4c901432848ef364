import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { CODE, INVITATION: ROOM, joined, LISTED, racers, refused, roomMessage, round } = scenes;
const ADA = seat(0, 'Ada');
const PATH = `/api/rooms/${CODE}`;
const SEARCH = 'Looking for a deal that can be won…';
const SEATS = { [CODE]: { seat: 0, token: 't' } };
const RUNNING = { state: 'RUNNING', running_ms: 372_000 };

test('practice starts at once, without a limit, with free undo and hints', async () => {
  const page = await openPage('/');
  await page.set('#choices [value=spider-2]', true);
  await page.click('#practice');
  const usual = { max_players: 1, time_limit_s: null, undo: 'free', hints: true };
  const alone = { settings: { game: 'spider-2', ...usual } };
  await page.accept(joined(room([ADA], alone), { token: 'new' }));
  const [create, ready] = page.sent();
  assert.deepEqual([create.name, create.settings, ready.type], ['Me', alone.settings, 'ready']);
  await page.hears(roomMessage([{ ...ADA, state: 'READY' }], alone), { sent: [{ type: 'start' }] });
  const on = roomMessage(racers('Me'), { ...alone, state: 'RUNNING', round: round() });
  await page.hears([on, { type: 'table', table: table() }], { screen: 'race', sent: [] });
});

test('a race against the computer starts without a press, even after a lost connection', async () => {
  const page = await openPage('/', { stored: { name: 'Ada' } });
  await page.click('#computer [data-strength=expert]');
  page.silence();
  await page.accept(joined(room([ADA]), { token: 'new' }));
  const [create, add] = page.sentWhole();
  assert.equal(create.name, 'Ada');
  assert.deepEqual([add.type, add.level, add.pace], ['add_bot', 'expert', 'usual']);
  await page.drop(4_001);
  await page.pass(2_000);
  page.silence(false);
  await page.accept(joined(room([ADA])));
  assert.deepEqual(page.sentWhole('add_bot'), [add]); // the same attempt, sent again
  const robot = seat(1, 'Robo', { kind: 'program', level: 'expert', state: 'READY' });
  await page.receive(roomMessage([ADA, robot]));
  assert.deepEqual(page.sent(), [{ type: 'ready', ready: true }]);
  page.shows({ '#screen p': 'Taking your seat…' });
  await page.pass(700, { '#screen p': SEARCH, spoken: SEARCH });
  await page.receive(roomMessage([{ ...ADA, state: 'READY' }, robot]));
  page.shows({ sent: [], screen: 'seating' }); // the lobby is not shown in between
});

test('only the first start of today’s race says that it waits for a deal', async () => {
  const [now, ends] = [Date.now(), Date.now() + 3_600_000];
  const games = [{ game: 'spider-1', players: 0, commitment: 'f'.repeat(64), degree: 'easy' }];
  const days = { day: '2026-11-28', now, ends, games, next: [], past: [] };
  const page = await openPage(DAY_PAGE, { answers: { '/api/days': days, [BOARD]: CLOSED } });
  await page.click('#day-play');
  await page.pass(700, { screen: 'seating', '#screen p': SEARCH, spoken: SEARCH });
  const other = await openPage('/');
  await other.click('#practice');
  await other.pass(700, { screen: 'seating', '#screen p': 'Taking your seat…' });
});

test('a player who gets no computer stays in the room and reads the reason', async () => {
  const page = await openPage('/', { stored: { name: 'Ada' } });
  await page.click('#computer [data-strength=expert]');
  await page.accept(joined(room([ADA]), { token: 'new' }), refused('add_bot', 'no_bots'));
  page.shows({ screen: 'room', said: 'This server has no computer players.' });
});

test('the page asks for a name when a table opens, and only once', async () => {
  const page = await openPage('/');
  page.shows({ '#name': false, '#rename': false, '#create': 'Race friends' });
  await page.click('#create', { '#create': 'Open the table', focus: 'name' });
  await page.submit('#name', ' ', { '#name-problem': 'Please enter your name.', focus: 'name' });
  await page.set('#name', ' Ada ', { '#name-problem': '' });
  await page.click('#create', { screen: 'seating' });
  await page.accept(joined(room([ADA]), { token: 'new' }));
  const [{ name, settings }] = page.sent();
  assert.deepEqual([name, settings], ['Ada', { game: 'spider-1', spectate: 'boards' }]);
  assert.deepEqual([page.screen(), page.window.location.pathname], ['room', `/r/${CODE}`]);
  const again = await openPage('/', { stored: { name: 'Ada' } });
  again.shows({ '#screen h1': 'Ready, \u2068Ada\u2069?' });
  await again.click('#rename', { '#create': 'Open the table', focus: 'name' });
  await again.submit('#name', 'Eve', { screen: 'seating' });
  const last = await openPage('/', { stored: { name: 'Eve' } });
  await last.click('#create', { '#name': false, '#create': 'Open the table' });
  assert.equal(last.document.activeElement.name, 'when');
  await last.click('#create');
  await last.accept();
  assert.equal(last.sent('create')[0].name, 'Eve');
});

test('a race over days opens from the front page, without a lobby', async () => {
  const page = await openPage('/', { stored: { name: 'Ada' } });
  await page.click('#create', { '#when': /^When\?All start at the same moment/ });
  await page.set('#when [value="86400"]', true, { '#create': 'Open the race' });
  page.shows({ '#when small': /^Each plays once, until / });
  await page.click('#create', { screen: 'seating' });
  const settings = { game: 'spider-1', spectate: 'boards', window_s: 86_400 };
  await page.accept(joined(room([ADA], { settings }), { token: 'new' }));
  const [create, start] = page.sent();
  assert.deepEqual([create.settings, start], [settings, { type: 'start' }]);
  // A lost start is sent again with the seat. If it was not lost, there is nothing to do.
  await page.drop(4_001);
  await page.pass(2_000);
  await page.accept(joined(room([ADA], { settings })));
  assert.deepEqual(page.sent('start'), [{ type: 'start' }]);
  await page.drop(4_001);
  await page.pass(2_000);
  const open = { settings, state: 'RUNNING', round: round() };
  await page.accept(joined(room([{ ...ADA, state: 'WATCHING' }], open)));
  page.shows({ screen: 'race', '#begin': 'Start my game' });
  // A race that the host takes back stays so.
  await page.receive(roomMessage([ADA], { settings }));
  assert.deepEqual(page.sent('start', 'ready'), []);
});

test('the gate of today’s race asks for a missing name and for a runner, and keeps both', async () => {
  const answers = { '/api/days': daysOf('2026-11-28', 5_000_000), [BOARD]: CLOSED };
  const front = await openPage('/', { answers });
  const links = front.all('#today-games [data-day]').map((each) => each.getAttribute('href'));
  assert.deepEqual(
    links,
    ['1', '2', '4'].map((suits) => `/d/2026-11-28/spider-${suits}`),
  );
  const page = await openPage(DAY_PAGE, { answers });
  page.shows({ '#gate .bar p': 'One try. About 5 minutes. Your clock starts with the cards.' });
  page.shows({ '#name': true, '#gate figure [data-ghost]': /^Club ghost/, '#day-lost': 0 });
  page.shows({ '#gate figure .card': 59, '#gate figure [data-card]': 0 });
  page.shows({ '#day-pace': 'A ghost plays the same cards. It takes no place on the board.' });
  const noGhost = { '#gate figure [data-ghost]': 0, '#day-pace': false };
  await page.set('[name=pace][value=nobody]', true, noGhost);
  const expert = { '#gate figure [data-ghost]': /^Expert/, '#day-pace': true };
  await page.set('[name=pace][value=expert]', true, expert);
  await page.set('#name', 'Ada');
  await page.click('#day-play');
  await page.accept();
  const [{ name, nameless, cards }] = page.sent('create');
  assert.deepEqual([name, nameless, cards], ['Ada', undefined, '2026-11-28/spider-1']);
  const { localStorage } = page.window;
  assert.deepEqual(
    [localStorage['spider-race.name'], localStorage['spider-race.pace']],
    ['"Ada"', '"expert"'],
  );
  const again = await openPage(DAY_PAGE, { answers, stored: { name: 'Ada', pace: 'nobody' } });
  again.shows({ '#name': 0, '#gate figure [data-ghost]': 0 });
});

test('a game of today’s race can start without a name, which the server learns', async () => {
  const answers = { '/api/days': daysOf('2026-11-28', 5_000_000), [BOARD]: CLOSED };
  const page = await openPage(DAY_PAGE, { answers });
  await page.click('#day-play');
  await page.accept();
  const [{ name, nameless }] = page.sent('create');
  assert.deepEqual([name, nameless], ['Player', true]);
});

test('the gate warns before the only try if this browser stores nothing', async () => {
  const answers = { '/api/days': daysOf('2026-11-28', 5_000_000), [BOARD]: CLOSED };
  const page = await openPage(DAY_PAGE, { answers });
  page.shows({ '#day-lost': 0 });
  globalThis.localStorage = null;
  await page.set('#language', 'de');
  await page.pass(50, { '#day-lost': /^Dein Browser speichert hier nichts/ });
});

test('a played deal turns up with its place and time, and the page names yesterday’s best', async () => {
  const today = { ...daysOf('2026-11-28', 5_000_000, ['2026-11-27']) };
  const row = { place: 12, entry: 'e', name: 'Mia', won: true, ms: 271_000, suits: 8 };
  const answers = {
    '/api/days': today,
    [BOARD]: { ...CLOSED, finished: 92, around: [row], own: 'e' },
    '/api/days/2026-11-27/spider-1': { ...CLOSED, rows: [{ ...row, ms: 242_000 }] },
  };
  const page = await openPage('/', { answers, stored: { day: { '2026-11-28/spider-1': 'k' } } });
  await page.pass(50, { '#today': /One suit Easy Place 12 of 92 · 4:31 See the board/ });
  page.shows({ '#today [data-place="12"]': '4:31', '#today': /Yesterday’s best: Mia 4:02/ });
  page.shows({ '#today [data-day]': 3, '#today [data-day=spider-2]': /Play once$/ });
});

test('a returning player sees today’s race first, and their record', async () => {
  const figures = [true, 238_000, 9, 9, `/r/${CODE}/1`, ['Finn']];
  const entry = (n, kind, place, of, day = null) => [
    day ?? `${CODE}/${n}`,
    NOW - n,
    kind,
    'spider-1',
    place,
    of,
    ...figures,
    day,
  ];
  const today = new Date(NOW).toISOString().slice(0, 10);
  const history = [entry(1, 'race', 3, 4), entry(2, 'race', 1, 2), entry(3, 'day', null, 0, today)];
  const answers = { '/api/days': daysOf('2026-11-28', 5_000_000) };
  const page = await openPage('/', { answers, stored: { history, room: CODE, name: 'Ada' } });
  await page.pass(50, { '[data-racer]': 0, '#today [data-today][data-on]': 1 });
  page.shows({ '#back small': /^Finn, last/, '#record [role=img] i': ['1', '3'] });
  page.shows({ '#record': /1 of 2races won3:58best time, one/ });
});

test('a code leads to the room', async () => {
  const answers = { [PATH]: ROOM };
  const page = await openPage('/', { answers });
  await page.submit('#code', 'hello', { '#problem': /^Enter a room code, or/, focus: 'code' });
  await page.submit('#code', '0000000', { '#problem': 'This room doesn’t exist, or it’s closed.' });
  await page.submit('#code', CODE, { screen: 'join', '#join-facts': /one suit · 2 players$/ });
  // A player with a name joins at once.
  const quick = await openPage('/', { stored: { name: 'Ada' }, answers });
  await quick.submit('#code', CODE, { screen: 'seating' });
});

test('the page lists open rooms, and says which can only be watched', async () => {
  const rooms = [
    LISTED,
    { ...LISTED, code: '7K3QZ0F', game: 'spider-2', host: 'Cy', players: 9, full: true },
    { ...LISTED, code: '7K3QZ0G', game: 'spider-4', host: 'Di', players: 1, ...RUNNING },
  ];
  const page = await openPage('/', { answers: { '/api/rooms': { rooms } } });
  assert.deepEqual(page.texts('#public li'), [
    '\u2068Bob\u2069’s table One suit · 2 players · waitingJoin',
    '\u2068Cy\u2069’s table Two suits · 9 players · waiting · fullWatch',
    '\u2068Di\u2069’s table Four suits · 1 player · racing 6:12Watch',
  ]);
  page.shows({ '#lesson': false });
  page.answers['/api/rooms'] = { rooms: [], computers: false };
  await page.pass(10_000, { '#public': false, '#lesson': true, '#computer h2': 'Practice alone' });
  page.shows({ '[data-strength]': 0, '#practice': true }); // the server has no computer players
});

test('an invitation says what newcomers can do', async () => {
  const [race, next] = ['Join the race', 'Join (you play from the next race)'];
  const late = { state: 'RUNNING', running_ms: 65_000 };
  for (const [change, note, ...buttons] of [
    [{}, '', race, 'Watch'],
    [{ locked: true }, 'The host has locked this room. Nobody new can join.'],
    [{ full: true }, 'All places are taken. You can watch.', 'Watch'],
    [{ full: true, watchable: false }, 'This room is full.'],
    [{ approve: true }, /Bob.* decides who joins. You may have to wait/, 'Ask to join', 'Watch'],
    [{ programs: false }, /Programs can’t join\./, race, 'Watch'],
    [late, 'This race has started.', next, 'Watch'],
    [{ ...late, chasers: true }, /own clock until/, 'Play this deal, unranked', next, 'Watch'],
  ]) {
    const page = await openPage(`/r/${CODE}`, { invitation: { ...ROOM, ...change } });
    page.shows({ '#join-note': note, '#screen form button': buttons });
    page.shows({ '#join-state': change.state ? 'Race running 1:05' : 'Waiting for players' });
  }
});

test('an invitation stays up to date, and a closed room has its own page', async () => {
  const code = '7K3QZ0L'; // its own code, since the page remembers closed rooms
  const path = `/api/rooms/${code}`;
  const answers = { [path]: { ...ROOM, code, full: true } };
  const page = await openPage(`/r/${code}`, { invitation: { ...ROOM, code }, answers });
  page.shows({ '#join': true });
  await page.pass(10_000, { '#join': false });
  page.answers[path] = 404;
  await page.pass(10_000, { screen: 'missing', '#screen': /This room is closed/ });
});

test('a latecomer who plays the deal at once starts with the seat', async () => {
  const late = { ...ROOM, state: 'RUNNING', running_ms: 65_000, chasers: true };
  const page = await openPage(`/r/${CODE}`, { invitation: late, stored: { name: 'Ada' } });
  await page.click('#join-chase');
  const seats = [seat(0, 'Ada', { state: 'WATCHING' }), ...racers('x', 'Bob').slice(1)];
  const of = scenes.running(seats, { host: 1, settings: { chasers: true } });
  await page.accept(joined(of, { token: 'new' }));
  assert.deepEqual(page.sent('chase'), [{ type: 'chase' }]);
});

test('the way back to a running race comes first until the race is over', async () => {
  const stored = { seats: SEATS, room: CODE, race: CODE };
  const page = await openPage('/', { stored, answers: { [PATH]: { ...ROOM, state: 'RUNNING' } } });
  page.shows({ '#back': 'Back to the race', focus: 'back' });
  await page.click('#back');
  await page.accept(joined(scenes.running(racers('Ada', 'Bob'))));
  assert.deepEqual([page.sent()[0].type, page.screen()], ['resume', 'race']);
  const over = await openPage('/', { stored, answers: { [PATH]: { ...ROOM, state: 'FINISHED' } } });
  await over.pass(50, { '#back': 'Back to room 7K3 QZ0A' });
  const code = '7K3QZ0M'; // its own code, since the page remembers closed rooms
  const lost = { seats: { [code]: SEATS[CODE] }, room: code, race: code };
  const gone = await openPage('/', { stored: lost });
  await gone.pass(50, { '#back': 0 });
});

test('the menu of the language keeps the focus', async () => {
  const page = await openPage('/');
  await page.set('#language', 'de', { '#create': 'Gegen Freunde antreten', focus: 'language' });
});

test('preferences are shown and kept, and attributes of the page follow', async () => {
  const page = await openPage('/', { stored: { table: 'walnut', backs: 'red', muted: true } });
  await page.click('#preferences');
  const isTicked = (field) => page.find(`[name=pref-${field}]`).checked;
  const ticked = ['table][value=walnut', 'backs][value=red', 'muted', 'faceDown'].map(isTicked);
  assert.deepEqual(ticked, [true, true, false, false]);
  page.shows({ 'html[data-table=walnut][data-backs=red]': 1 });
  for (const [field, value, kept] of [
    ['table][value=slate', true, '"slate"'],
    ['keys][value=classic', true, '"classic"'],
    ['motion', true, '"less"'],
    ['muted', true, 'false'],
    ['volume', 30, '30'],
    ['letterKeys', false, 'false'],
  ]) {
    await page.set(`[name=pref-${field}]`, value);
    assert.equal(page.window.localStorage[`spider-race.${field.split(']')[0]}`], kept);
  }
  page.shows({ 'html[data-table=slate][data-motion=less][data-keys=classic]': 1 });
  assert.equal(isTicked('faceDown'), true); // by default with the keys of 1987
});

const DAY_GAMES = ['spider-1', 'spider-2', 'spider-4'];
/** Return the answer about the days, `left` ms before midnight. */
const daysOf = (day, left, past = []) => {
  const ends = Date.parse(day) + 86_400_000;
  const games = DAY_GAMES.map((game) => ({ game, commitment: 'c', degree: 'easy', players: 3 }));
  return { day, now: ends - left, ends, games, next: [], past };
};

for (const [type, target] of [
  ['nothing', 'body'],
  ['online', 'window'],
  ['pageshow', 'window'],
  ['visibilitychange', 'document'],
])
  test(`at midnight today's race becomes the next one, after failures and with ${type}`, async () => {
    const page = await openPage('/', { answers: { '/api/days': daysOf('2026-11-27', 65_000) } });
    page.shows({ '#today [data-day=spider-1]': /Play once$/, '#today-left': '2 min left' });
    page.answers['/api/days'] = 503;
    await page.pass(76_000);
    page.shows({ '#today-left': /^This day is over/ });
    assert.deepEqual(
      page.all('#today [data-day]').map((each) => [each.getAttribute('href'), each.textContent]),
      ['One', 'Two', 'Four'].map((suits, i) => [
        `/d/2026-11-27/${DAY_GAMES[i]}`,
        `${suits} suit${i ? 's' : ''} Easy 3 players See the board`,
      ]),
    );
    await page.pass(120_000, { '#today [data-day=spider-1]': /See the board$/ });
    page.answers['/api/days'] = daysOf('2026-11-28', 80_000_000);
    if (type === 'nothing') await page.pass(30_000);
    else await page.fire({ window: page.window, document: page.document }[target], type);
    page.shows({ '#today [data-day=spider-1]': /Play once$/, '#today-left': '22 h 14 min left' });
    const [href] = page.all('#today [data-day]').map((each) => each.getAttribute('href'));
    assert.equal(href, '/d/2026-11-28/spider-1');
  });

const BOARD = '/api/days/2026-11-28/spider-1';
const DAY_PAGE = '/d/2026-11-28/spider-1';
const EMPTY = { day: '2026-11-28', game: 'spider-1', finished: 0, won: 0, own: '' };
const LOST = {
  kind: 'person',
  state: 'FINISHED',
  won: false,
  ms: null,
  score: 0,
  moves: 9,
  suits: 8,
};
const CLOSED = { ...EMPTY, over: false, players: 4, rows: [], around: [] };

test('at midnight the page of a day changes its words and its button', async () => {
  const days = daysOf('2026-11-28', 5_500);
  const page = await openPage(DAY_PAGE, { answers: { '/api/days': days, [BOARD]: CLOSED } });
  page.shows({ '#winner': 'Today’s race', '#winner + p': 'Saturday 28 November' });
  page.shows({ '#day-play': 'Start', '#day-left': '1 min left', '#about': /^4 players/ });
  for (const path of ['/api/days', BOARD]) page.answers[path] = 503;
  await page.pass(5_600);
  await page.click('#day-play', { screen: 'day', '#day-play': false }); // the day has just ended
  page.shows({ '#day-left': /^This day is over. The board opens when/, '#gate': 0 });
  page.answers['/api/days'] = daysOf('2026-11-29', 86_000_000, ['2026-11-28']);
  page.answers[BOARD] = { ...CLOSED, over: true };
  await page.pass(30_000, { '#day-play': 'Play these cards (unranked)' });
  page.shows({ '#day-left': 'This day is over.' });
  page.shows({ '#winner': 'Saturday 28 November', '#winner + p': false });
});

test('a day with an open board is over, even if the clock of this computer is wrong', async () => {
  const days = daysOf('2026-11-28', 5_000_000);
  const over = { '/api/days': days, [BOARD]: { ...CLOSED, over: true } };
  const page = await openPage(DAY_PAGE, { answers: over });
  page.shows({ '#day-play': 'Play these cards (unranked)', '#day-left': 'This day is over.' });
  page.shows({ '#gate': 0, '#about': '4 players. 0 finished.' });
});

test('a page says whether its document is missing, not there yet, or out of reach, and retries', async () => {
  const GHOST = '/g/2026-11-28/spider-1/0123456789abcdef';
  const today = daysOf('2026-11-28', 50_000_000);
  for (const [path, request, answers, shown, again] of [
    [DAY_PAGE, BOARD, 503, /^No answer from the server/, [CLOSED, /^4 players/]],
    [DAY_PAGE, BOARD, 404, 'The cards of this day aren’t here yet.', [CLOSED, /^4 players/]],
    ['/d/2026-11-27/spider-1', '', 404, 'There’s no race on this day.'],
    [GHOST, BOARD, 503, /^No answer from the server/, [CLOSED, /^These are today’s cards/]],
    [GHOST, BOARD, 404, 'This game isn’t here any more.'],
    ['/r/7K3QZ0C/1', '/api/rooms/7K3QZ0C/rounds/1/course', 503, /^No answer/, [404, /^It isn’t/]],
  ]) {
    const page = await openPage(path, { answers: { '/api/days': today, [request]: answers } });
    await page.pass(1_500, { '#about': shown, '#ghost-today': false });
    if (!again) continue;
    [page.answers[request]] = again;
    await page.fire(page.window, 'online');
    page.shows({ '#about': again[1] });
  }
  const page = await openPage('/days', { answers: { '/api/days': 503 } });
  page.shows({ '#days li': [/^No answer/.exec(page.text('#days li')) && page.text('#days li')] });
  page.answers['/api/days'] = { ...today, past: ['2026-11-27'] };
  await page.fire(page.window, 'online');
  page.shows({
    '#days li': ['Fri 27 NovemberOne suit Not playedTwo suits Not playedFour suits Not played'],
  });
});

test('a board that changes while it grows shows one state, and keeps the focus', async () => {
  let all = Array.from({ length: 66 }, (_, i) => `e${i}`);
  const row = (entry, i) => ({ ...LOST, place: i + 1, entry, name: entry });
  const board = (query) => {
    const [first, size] = [Number(query.get('first') ?? 1), Number(query.get('rows') ?? 50)];
    const rows = all.map(row).slice(first - 1, first - 1 + size);
    const around = all.map(row).filter(({ entry }) => entry === 'e60');
    return { ...CLOSED, finished: all.length, won: all.length, rows, around, own: 'e60' };
  };
  const answers = { '/api/days': daysOf('2026-11-28', 50_000_000), [BOARD]: board };
  const stored = { day: { '2026-11-28/spider-1': 'k' } };
  const page = await openPage(DAY_PAGE, { answers, stored });
  const shown = () => page.all('#ranking tbody tr[data-entry]').map((line) => line.textContent);
  const expected = (size) =>
    all
      .slice(0, size)
      .map(row)
      .map(({ place, entry: name }) => {
        const you = name === 'e60' ? `${name} (you)` : name;
        return `${place}${you} stuck with 8 suits0 points`;
      });
  assert.equal(shown().length, 11, 'the first ones, and your row');
  page.shows({ '.day-tabs [aria-current]': 'One suit 0 points', '#about': /^No points this time/ });
  page.shows({ '#ranking [data-first]': 0, '#day-spread .day-bars': 0 });
  await page.click('#day-more', { '#day-more': true });
  assert.equal(shown().length, 61);
  page.find('#day-more').focus();
  all = ['n0', ...all];
  await page.click('#day-more', { '#day-more': false });
  assert.deepEqual(shown(), expected(67));
  const focused = page.document.activeElement;
  assert.equal(focused.closest('tr').dataset.entry, 'e59', 'the first row that is new');
  for (const n of [1, 2, 3]) all = [`n${n}`, ...all];
  await page.pass(20_000);
  assert.deepEqual(shown(), expected(70));
  assert.ok(focused.isConnected);
  assert.equal(page.document.activeElement, focused);
});

test('earlier opponents are found below the shown rows of a board', async () => {
  const row = (n) => ({ ...LOST, place: n, entry: `e${n}`, name: `P${n}` });
  const all = Array.from({ length: 120 }, (_, i) => row(i + 1));
  const asked = [];
  const board = (query) => {
    const size = Number(query.get('rows'));
    asked.push(size);
    const own = { own: 'e1', around: [all[0]] };
    return { ...{ ...CLOSED, ...own, finished: 120 }, rows: all.slice(0, size) };
  };
  const figures = [1, 2, true, 5, 0, 0, '/r/7K3QZ0A/1', ['P10', 'P110'], null];
  const raced = ['7K3QZ0A/1', 5, 'race', 'spider-1', ...figures];
  const answers = { '/api/days': daysOf('2026-11-28', 50_000_000), [BOARD]: board };
  const stored = { day: { '2026-11-28/spider-1': 'k' }, history: [raced] };
  const page = await openPage(DAY_PAGE, { answers, stored });
  await page.pass(100, { '#day-among': 'Among those you’ve raced before: 1st of 3.' });
  page.shows({ '#ranking tbody tr': 10, '#day-more': true });
  page.shows({ '#results .day-lines li': 2 });
  await page.click('#day-more', { '#ranking tbody tr': 60 });
  await page.pass(20_000);
  assert.deepEqual(asked, [500, 60, 60], 'a poll asks for no more than is shown');
});

test('the room of a day’s game does not replace the way back to a race with friends', async () => {
  const answers = { '/api/days': daysOf('2026-11-28', 50_000_000), [BOARD]: CLOSED };
  for (const [key, last] of [
    ['k', '7K3QZ0F'],
    [undefined, CODE],
  ]) {
    const page = await openPage(DAY_PAGE, { answers, stored: { room: '7K3QZ0F' } });
    await page.click('#day-play');
    const dealt = round({ cards: '2026-11-28/spider-1', key });
    await page.accept(joined(room([ADA], { code: CODE, round: dealt }), { token: 'new' }));
    assert.equal(JSON.parse(page.window.localStorage.getItem('spider-race.room')), last);
  }
});
