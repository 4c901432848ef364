import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as events from '../../../web_client/src/state/race-events.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING } from '../../../web_client/src/state/state.js';
import german from '../../../web_client/src/strings/de/race.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { room, standing } from '../examples.js';

const { AT_START, cueOf, earlierEnds, leadCue, momentOf, nextLog, photoFinish, raceEvents } =
  events;
const [ADA, BOB, CLEO] = [0, 1, 2];
const NAMES = ['Ada', 'Bob', 'Cleo'];

/** Return the fields of a standing, such as `suits=3`; `won=900` is a win after 900 ms. @param {string} text */
function fieldsOf(text) {
  const [field, value] = text.split('=');
  const number = Number(value);
  if (field === 'won') return { won: true, state: 'FINISHED', suits: 8, finished_ms: number };
  return { [field]: value === 'null' ? null : Number.isNaN(number) ? value : number };
}

/** Return the standings that a text describes, such as `Ada suits=3, Bob place=1`. @param {string} text */
const rows = (text) =>
  text.split(', ').map((each) => {
    const [name, ...changes] = each.split(' ');
    return Object.assign(standing(NAMES.indexOf(name), name), ...changes.map(fieldsOf));
  });

/** Return the states of a race, one for each text of standings. @param {string[]} all @param {any} [settings] */
function race(all, settings = {}) {
  const round = { n: 1, t0: 0, t_end: null, commitment: null, number: null, programs: [] };
  const of = { state: 'RUNNING', round, settings: { game: 'spider-4', ...settings } };
  let state = { ...NOTHING, me: { seat: ADA, role: 'player' }, room: room([], of) };
  return all.map((text, i) => {
    state = reduce(state, { type: 'standings', number: i + 1, standings: text ? rows(text) : [] });
    return state;
  });
}

/** Return a change with its events. @param {any} before @param {any} after @param {string} [type] of the message @param {any} [more] of the message */
const changeOf = (before, after, type = 'standings', more = {}) => ({
  ...{ before, after, message: { type, ...more }, events: raceEvents(before, after) },
});

/** Return the events of each change of the standings, in words. @param {string[]} all @param {any} [settings] @param {number} [me] */
function told(all, settings = {}, me = -1) {
  const states = race(['', ...all], settings);
  const say = (event) => strings.eventWords(event, me, states[0].room.settings.game);
  const [first, ...others] = states
    .slice(1)
    .map((state, i) => raceEvents(states[i], state).map(say));
  assert.deepEqual(first, [], 'the first standings are no event');
  return others.map((each) => each.map(({ name, words }) => name + words).join(', '));
}

test('a change of the standings gives its events, the most important first', () => {
  for (const [after, words] of [
    ['Bob place=1 won=501900, Cleo suits=3, Ada', 'Bob finished 1st!, Cleo: 3 of 8 suits'],
    ['Ada, Bob place=null late_ms=9 won=501900, Cleo', 'Bob finished!'],
    ['Ada, Bob, Cleo state=FORFEIT', 'Cleo gave up'],
    ['Ada, Bob, Cleo state=FINISHED finished_ms=61000', 'Cleo stopped'],
    ['Ada, Bob, Cleo state=TIMED_OUT finished_ms=61000', 'Cleo: out of time'],
    ['Ada suits=1, Bob, Cleo', 'Ada: 1 of 8 suits'],
    ['Ada face_down=0 moves=60, Bob, Cleo', ''], // turning cards up is no event
    ['Ada, Bob', ''],
  ])
    assert.deepEqual(told(['Ada, Bob, Cleo', after]), [words], after);
  assert.deepEqual(told(['Ada', 'Ada suits=1'], {}, ADA), ['You: 1 of 8 suits']);
});

test('only in an open race a new row comes with its end, which makes no sound', () => {
  const joins = ['Ada place=1 won=9', 'Ada place=1 won=9, Bob place=2 won=9000'];
  assert.deepEqual(told(joins), ['']);
  assert.deepEqual(told(joins, { window_s: 60 }), ['Bob finished 2nd!']);
  assert.equal(cueOf(changeOf(...race(joins, { window_s: 60 })), []), null);
});

test('another race gives no events', () => {
  const [before, after] = race(['Ada suits=1', 'Ada suits=2']);
  const other = { ...after, room: { ...after.room, round: { ...after.room.round, n: 2 } } };
  assert.deepEqual(raceEvents({ ...before, room: null }, after), []);
  assert.deepEqual(raceEvents(other, before), []);
});

test('after a tie only a new leader is news, and a leader who finishes is not', () => {
  const two = (own, bobs, more = '') =>
    `Ada score=${own} place=${own >= bobs ? 1 : 2}, Bob score=${bobs} place=${bobs >= own ? 1 : 2}${more}`;
  const all = [two(0, 0), two(0, 0), two(5, 0), two(5, 5), two(6, 5), two(6, 7)];
  assert.deepEqual(told(all), ['', 'Ada took the lead', '', '', 'Bob took the lead']);
  const states = race(all);
  const kinds = [1, 4].map((i) => raceEvents(states[i], states[i + 1])[0]?.kind);
  assert.deepEqual(kinds, ['first-lead', 'lead']);
  assert.deepEqual(told([two(6, 5), two(6, 7, ' won=9000')]), ['Bob finished 1st!']);
  assert.deepEqual(told(['Ada', 'Ada score=5']), [''], 'nobody else races');
});

/** Return how a race announces leaders at times in ms: by sounds, by moments that stand out, and by lines. @param {[number, string][]} leaders */
function toldOf(leaders) {
  const rowsOf = (name) => NAMES.toSorted((a) => (a === name ? -1 : 1));
  const texts = leaders.map(([, name]) =>
    rowsOf(name)
      .map((each, i) => `${each} score=${9 - i} place=${i + 1}`)
      .join(', '),
  );
  const states = race(texts);
  let log = { race: 'CODE 1', events: AT_START };
  const sounds = [];
  const moments = [];
  for (const [i, [at]] of leaders.entries()) {
    const [before, after] = [states[i - 1] ?? { ...states[0], standings: [] }, states[i]];
    const change = changeOf(before, after);
    log = nextLog(log, change, at);
    sounds.push(i ? cueOf(change, log.events) : null);
    const { event, isFresh } = momentOf(log.events, at);
    moments.push(isFresh ? event.standing.name : '');
  }
  const lines = log.events.filter(({ kind }) => kind === 'lead').map((each) => each.standing.name);
  return { sounds, moments, lines };
}

test('a lead that changes back within three seconds is announced once in each channel', () => {
  const { sounds, moments, lines } = toldOf([
    [0, 'Ada'],
    [20_000, 'Bob'],
    [22_000, 'Ada'],
    [24_000, 'Bob'],
    [40_000, 'Ada'],
    [41_000, 'Cleo'],
  ]);
  assert.deepEqual(sounds, [null, 'behind', null, null, 'ahead', 'behind']);
  assert.deepEqual(moments, ['', 'Bob', '', '', 'Ada', 'Cleo']);
  assert.deepEqual(lines, ['Cleo', 'Bob'], 'the list is right in the end, in one line each');
});

test('however fast the lead changes, the top line names the leader', () => {
  for (let seed = 1; seed < 200; seed++) {
    let at = 0;
    const leaders = Array.from({ length: 12 }, (_, i) => {
      const random = ((seed * 7_919 + i * 104_729) * 2_654_435_761) % 4_294_967_296;
      at += 100 + (random % 5_000);
      return [at, NAMES[Math.floor(random / 5_000) % 3]];
    });
    const { lines, sounds, moments } = toldOf(leaders);
    const changes = leaders.filter(([, name], i) => i > 0 && name !== leaders[i - 1][1]);
    if (changes.length === 0) continue;
    assert.equal(lines[0], changes.at(-1)[1]);
    assert.ok(lines.length <= changes.length);
    for (const [i, sound] of sounds.entries())
      if (sound) assert.equal(moments[i], leaders[i][1], 'what sounds is shown');
  }
});

test('a lesser event does not replace a greater one from just before', () => {
  const [finish, suit] = ['finish', 'suit'].map((kind, i) => ({ kind, at: 1_000 * (1 - i) }));
  const log = [{ ...suit, at: 1_500 }, finish, suit, ...AT_START];
  assert.equal(momentOf(log, 2_000).event.kind, 'finish');
  assert.equal(momentOf(log, 4_000).event, log[0]);
  const kinds = [2_000, 7_400, 7_500].map((now) => momentOf(log, now).isFresh);
  assert.deepEqual(kinds, [true, true, false]);
  assert.equal(momentOf(AT_START, 0).isFresh, false);
});

test('the first standings give the ends with known times, the earliest first', () => {
  const first = 'Ada place=1 won=70000, Bob state=FORFEIT finished_ms=50000 late_ms=30000, Cleo';
  const said = earlierEnds(rows(first)).map((end) => `${end.standing.name} ${end.kind}`);
  assert.deepEqual(said, ['Ada finish', 'Bob out']);
});

const FIRST_HOME = { ranking: 'first_home', cheats: 'shown' };

test('two players within two seconds make a photo finish, and each reads other words about it', async () => {
  const home = 'Ada place=1 won=60000, Bob place=2 won=60840, Cleo place=3';
  const photo = photoFinish(rows(home), FIRST_HOME);
  assert.match(strings.photoBy({ ...photo, ms: 1_999 }, ADA), /1\.99 s before Bob/);
  assert.match(strings.photoBy({ ...photo, ms: 7 }, ADA), / 7 ms before Bob/);
  assert.equal(german.photoBy(photo, BOB), 'Fotofinish: 0,84 s hinter Ada');
  const all = [home.replace(' won=60840', ''), home, `${home} won=60900`];
  const words = ['Photo finish: Ada, 0.84 s before Bob', 'Cleo finished 3rd!'];
  assert.deepEqual(told(all, FIRST_HOME), words);
});

test('there is no photo finish with two seconds or more, one player racing, a tie, a ranking by score, or counted undos', () => {
  const bob = (text, settings = FIRST_HOME) =>
    photoFinish(rows(`Ada place=1 won=60000${text && `, Bob ${text}`}`), settings);
  assert.ok(bob('place=2 won=60100'));
  assert.equal(bob('place=2 won=60100', { ranking: 'best_score' }), null);
  for (const text of ['place=2 won=62000', 'place=2', '', 'place=1 won=60000', 'place=2 won=59000'])
    assert.equal(bob(text), null, text);
});

test('an act makes one sound', () => {
  const counts = (suits, face_down) => ({ suits, face_down, moves: 0 });
  for (const [type, suits, face_down, outcome, sound] of [
    ['move', 1, 20, null, 'put'],
    ['move', 1, 19, null, 'turn'],
    ['move', 2, 19, null, 'home'],
    ['remove', 2, 20, null, 'home'],
    ['deal', 1, 20, null, 'deal'],
    ['move', 8, 0, 'won', 'won'],
  ]) {
    const inFlight = [{ id: 7, action: { type } }];
    const state = { ...NOTHING, play: { base: { counts: counts(1, 20) }, inFlight } };
    const message = { id: 7, outcome, counts: counts(suits, face_down) };
    assert.equal(cueOf(changeOf(state, state, 'acted', message), []), sound);
  }
});

test('a change makes one sound, for the most important event of the others', () => {
  for (const [before, after, sound, settings] of [
    ['Bob', 'Bob place=1 won=9 state=RACING', 'other'],
    ['Bob place=1 won=9 state=RACING', 'Bob place=1 won=9', null], // the room comes later
    ['Bob', 'Bob place=1 won=9', 'other'],
    ['Bob', 'Bob state=FORFEIT', null],
    ['Bob', 'Bob suits=1', 'suit'],
    ['Bob, Ada', 'Bob suits=1, Ada place=1 won=9', 'suit'], // this player's act has its own sound
    ['Bob, Ada', 'Ada place=1 score=1, Bob place=2', null], // the first lead has no sound
    ['Bob, Ada', 'Bob place=1 won=9 suits=1, Ada suits=2', 'other'],
    ['', 'Bob place=1 won=9', null], // a page that was just opened
    ['Bob place=1 won=9, Ada', 'Bob place=1 won=9, Ada place=2 won=90', 'photo', FIRST_HOME],
  ]) {
    const [old, next] = race([before, after], settings);
    assert.equal(cueOf(changeOf(old, next), []), sound, after);
  }
});

test('a start and an end sound when their message comes, not when they are shown', () => {
  const at = (state) => ({ code: 'A', state, seats: [{ seat: 0, state }], settings: {} });
  const before = { ...NOTHING, me: { seat: 0 }, room: at('READY') };
  const after = { ...before, room: at('RACING') };
  const over = (...winners) => ({ ...after, over: { n: 1, winners } });
  for (const [old, next, type, sound] of [
    [before, after, 'room', 'go'],
    [after, after, 'changes', null],
    [{ ...before, room: null }, after, 'joined', null], // a reload
    [after, over(0), 'round_over', 'won'],
    [after, over(1), 'round_over', 'over'],
    [over(1), over(1), 'round_over', null],
  ])
    assert.equal(cueOf(changeOf(old, next, type), []), sound);
});

test('taking the lead, losing it and a change between others sound different', () => {
  for (const [before, after, own, cue] of [
    [BOB, ADA, ADA, 'ahead'],
    [ADA, BOB, ADA, 'behind'],
    [CLEO, BOB, ADA, 'lead'],
    [CLEO, BOB, -1, 'lead'], // to spectators
    [null, ADA, ADA, null], // the first lead is no change
    [ADA, ADA, ADA, null],
  ])
    assert.equal(leadCue(before, after, own), cue);
});
