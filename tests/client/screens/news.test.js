import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat, standing, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { acted, atRace, atRoom, CODE, joined, racers, refused, roomMessage, round } = scenes;
const { roundOver, running, standingsOf, won } = scenes;
const row = (page, n) => page.find(`#standings [data-seat="${n}"]`);

test('the page says when the lead is taken, lost and taken again', async () => {
  const page = await atRace();
  const order = async (number, own, other) => {
    const rows = [standing(0, 'Ada', { score: own }), standing(1, 'Bob', { score: other })];
    rows.sort((a, b) => b.score - a.score);
    for (const [i, each] of rows.entries()) each.place = i + 1;
    await page.receive(standingsOf(rows, number));
    await page.pass(11_000);
  };
  await order(2, 10, 0);
  assert.equal(page.text('#lead'), 'You lead');
  assert.equal(page.find('#lead').hasAttribute('data-change'), false); // the first one is no news
  await order(3, 10, 20);
  page.shows({ '#lead': 'Bob leads', said: 'Bob takes the lead.' });
  assert.equal(page.find('#lead').dataset.change, 'behind');
  assert.equal(row(page, 1).hasAttribute('data-leads'), true);
  await order(4, 30, 20);
  page.shows({ said: 'You take the lead.', '#events li': /You took the lead$/ });
  assert.equal(page.find('#lead').dataset.change, 'ahead');
});

test('a suit and a win are told once in each channel, and a win sweeps over the page', async () => {
  const page = await atRace();
  const ada = standing(0, 'Ada', { score: 1, place: 2 });
  await page.receive(standingsOf([standing(1, 'Bob', { score: 9, place: 1 }), ada], 2));
  await page.receive(standingsOf([standing(1, 'Bob', { score: 109, place: 1, suits: 1 }), ada], 3));
  await page.pass(500);
  assert.match(page.text('#events li'), /Bob: 1 of 8 suits$/);
  assert.equal(page.find('#events li [data-part=mark]').dataset.colour, 'red');
  await page.receive(standingsOf([won(1, 'Bob', { finished_ms: 65_000, place: 1 }), ada], 4));
  await page.pass(1_000);
  assert.deepEqual(page.texts('#sweep bdi, #events bdi').slice(0, 2), ['Bob', 'Bob']);
  assert.equal(row(page, 1).hasAttribute('data-won'), true);
  page.shows({ '#lead': 'Bob wins', '#events li': '1:05Bob finished 1st!' });
  assert.match(page.said(), /^Bob (wins|finished) in 1:05\./);
  await page.pass(2_000);
  assert.equal(page.all('#sweep').length, 0);
});

test('cheats are counted, explained and shown to all', async () => {
  const change = { settings: { undo: 'any' } };
  const page = await atRace({ room: change, table: { at: 3, legal: 'undo,deal' } });
  assert.equal(page.isShown('#cheats'), false);
  await page.click('#undo');
  await page.receive(acted(1, { at: 4, legal: 'deal', counts: { cheats: 1, undos: 1 } }));
  page.shows({ said: 'Undone. That counts as cheat 1.', '#cheats': '1' });
  await page.click(page.find('#cheats').parentElement);
  assert.match(page.said(), /counts as a cheat/);
  await page.receive(standingsOf([standing(0, 'Ada', { cheats: 2 }), standing(1, 'Bob')], 2));
  assert.match(row(page, 0).textContent, /2 cheats/);
  assert.match(row(page, 0).querySelector('[data-part=about]').title, /counts as a cheat/);
});

test('columns show how many cards lie face down, if the player wants it', async () => {
  const counts = (of) => of.all('#board [data-count-of]').map((each) => each.textContent);
  const page = await atRace({ how: { stored: { faceDown: 'on' } } });
  assert.deepEqual([counts(page).length, counts(page)[0]], [10, '5']);
  await page.press('1');
  await page.press('5');
  await page.receive(acted(1, { piles: { t0: '[4] KS', t4: '[4] TS 9S' }, legal: '' }));
  assert.deepEqual([counts(page)[0], counts(await atRace())], ['4', []]);
});

test('a room without hints offers none', async () => {
  const page = await atRace();
  assert.equal(page.isShown('#hint'), false);
  assert.equal(page.find('#hints').parentElement.hidden, true);
  await page.press('h');
  assert.equal(page.said(), 'Hints are off in this room.');
});

test('the contents of a pile are listed, and the refusal stands beside its column', async () => {
  const page = await atRace({ table: { legal: 'deal' } });
  await page.press('ArrowRight');
  await page.press('p');
  assert.match(page.said() + page.text('.board-felt'), /5 face down/);
  await page.press('Escape');
  await page.press('1');
  await page.press('2');
  const details = { cards: ['9S', '5S'], piles: ['t0', 't1'], fields: [], reason: null };
  await page.receive(refused('act', 'wrong_rank', { id: 1, details }));
  page.shows({ '#refusal-bubble[data-of=t1]': true, '#refusal-bubble': page.said() });
  page.fire(page.find('#board'), 'pointerdown', { button: 0 }, 'PointerEvent');
  await page.draw();
  assert.equal(page.isShown('#refusal-bubble'), false);
});

test('a wrong clock of the device changes nothing: the server’s time counts', async () => {
  const ahead = 300_000;
  const at = round({ t0: NOW + ahead, t_end: NOW + ahead + 900_000 });
  const how = { me: { now: NOW + ahead }, aheadMs: ahead };
  const page = await atRoom(running(racers('Ada', 'Bob'), { round: at }), how);
  await page.receive({ type: 'table', table: table() });
  page.shows({ '#clock': '0:00', '#time-left': '14:59 left' });
});

test('a press whose answer is lost asks for the same seat again', async () => {
  const page = await atRoom(room([seat(0, 'Ada')]), { stored: { name: 'Ada' } });
  await page.click('#leave');
  await page.click('#create');
  await page.accept();
  const [first] = page.sentWhole('create');
  await page.drop(1_006);
  await page.click('#connection-now');
  await page.accept(refused('create', 'try_again'));
  assert.match(page.text('#problem'), /Try again/);
  await page.click('#create');
  await page.accept();
  assert.equal(page.sentWhole('create')[0].attempt, first.attempt);
});

test('what is known of a numbered deal is said, and of a secret one nothing', async () => {
  const known = { number: 24, label: 'winnable', searching: false };
  const answers = { [`/api/rooms/${CODE}/deal`]: known };
  const secret = await atRoom(room([seat(0, 'Ada')]), { answers });
  assert.equal(secret.isShown('#deal-label'), false);
  const settings = { deal: 'numbered', number: 24 };
  const page = await atRoom(room([seat(0, 'Ada')], { settings }), { answers });
  await page.pass(3_000);
  assert.match(page.text('#deal-label'), /24 can be won/);
});

test('practice remembers its best result', async () => {
  const settings = { max_players: 1, time_limit_s: null };
  const change = { settings, round: round({ t_end: null }) };
  const page = await atRace({ names: ['Ada'], room: change });
  assert.equal(page.isShown('#best'), false);
  const own = standing(0, 'Ada', { state: 'FORFEIT', score: 40, finished_ms: 9_000 });
  const over = { settings, state: 'FINISHED', round: round({ ended: NOW + 9_000 }), played: 1 };
  await page.receive(roundOver([own], []), roomMessage([seat(0, 'Ada')], over));
  page.shows({ '#margin': 'Your best: 40 points', '#ranking tbody td:nth-child(2)': 'Ada' }); // nobody else is meant
  assert.match(page.window.localStorage['spider-race.best-game'], /"score":40/);
});

test('a room that does not exist leads back with the reason', async () => {
  const code = '7K3QZ0K';
  const stored = { seats: { [code]: { seat: 0, token: 't' } } };
  const page = await openPage(`/r/${code}`, { stored });
  await page.accept(refused('resume', 'no_such_room'));
  page.shows({ screen: 'landing', '#problem': 'This room doesn’t exist, or it’s closed.' });
});

test('a program has its mark from the seats to the ranking', async () => {
  const robo = { kind: 'program', colour: 'red' };
  const page = await atRoom(room([seat(0, 'Ada'), seat(1, 'Robo', robo)]));
  const marks = (where) => page.all(`${where} [role=img][aria-label^="Program"]`).length;
  assert.equal(marks('#players'), 1);
  const seats = [...racers('Ada'), seat(1, 'Robo', { ...robo, state: 'RACING' })];
  const standings = standingsOf([standing(0, 'Ada'), standing(1, 'Robo')]);
  await page.receive(scenes.race(seats), { type: 'table', table: table() }, standings);
  await page.pass(50);
  assert.equal(marks('#standings'), 1);
});

test('a question of 1987 goes with the race that it was about', async () => {
  const dos = { settings: { game: 'spider-4', score: 'dos', exceptions: 'hard', undo: 'off' } };
  const how = { stored: { keys: 'classic', confirmDeal: true, 'asked-first': true } };
  const page = await atRace({ room: dos, table: { legal: 'deal' }, how });
  await page.press('F9');
  assert.equal(page.all('#prompt').length, 1);
  await page.receive(roomMessage([seat(0, 'Ada'), seat(1, 'Bob')], dos));
  assert.equal(page.all('#prompt[open]').length, 0);
});

test('a start is felt in the middle of the page, once', async () => {
  const page = await atRoom(running(racers('Ada', 'Bob')));
  await page.receive({ type: 'table', table: table({ elapsed_ms: 100 }) });
  assert.equal(page.text('#start-beat'), 'Go!');
  await page.pass(3_000);
  assert.equal(page.all('#start-beat').length, 0);
});

test('names and lines of others are text, never markup', async () => {
  const name = '<img src=x>';
  const page = await atRace({ names: ['Ada', name] });
  assert.equal(page.all('img').length, 0);
  assert.match(row(page, 1).textContent, /<img src=x>/);
  await page.receive(joined(running(racers('Ada', name))));
  assert.equal(page.all('img').length, 0);
});
