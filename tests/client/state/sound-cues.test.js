import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cueOf, leadCue } from '../../../web_client/src/state/sound-cues.js';

const counts = (suits, face_down) => ({ suits, face_down, moves: 0 });
const playing = (type) => ({
  play: { base: { counts: counts(1, 20) }, inFlight: [{ id: 7, action: { type } }] },
});
const acted = (suits, face_down, outcome = null) => ({
  ...{ type: 'acted', id: 7, outcome, counts: counts(suits, face_down) },
});
const running = (...rows) => ({ ...race(), standings: rows });
const race = (...states) => ({
  me: { seat: 0 },
  room: { code: 'A', state: 'RUNNING' },
  standings: states.map((state, seat) => ({ seat, state })),
});

test('an act has one sound, and the finish of another player sounds once', () => {
  for (const [type, message, sound] of [
    ['move', acted(1, 20), 'put'],
    ['move', acted(1, 19), 'turn'],
    ['move', acted(2, 19), 'home'],
    ['remove', acted(2, 20), 'home'],
    ['deal', acted(1, 20), 'deal'],
    ['move', acted(8, 0, 'won'), 'won'],
  ])
    assert.equal(cueOf(playing(type), playing(type), message), sound);
  const cue = (before, after) => cueOf(before, after, { type: 'standings' });
  assert.equal(cue(race('RACING', 'RACING'), race('RACING', 'FINISHED')), 'other');
  assert.equal(cue(race('RACING', 'FINISHED'), race('RACING', 'FINISHED')), null);
  assert.equal(cue(race('RACING', 'RACING'), race('FINISHED', 'RACING')), null);
  assert.equal(cue(race('RACING', 'RACING'), race('RACING', 'FORFEIT')), null);
  assert.equal(cue(race(), race('RACING', 'FINISHED')), null, 'a page that was just opened');
});

test('a win sounds when it is known, and not again when the room follows', () => {
  const cue = (old, next) => cueOf(old, next, { type: 'standings_changes' });
  const row = (state, wins) => ({
    ...{ seat: 1, place: 1, suits: 8, state, won: wins, finished_ms: wins ? 9 : null },
  });
  const [racing, won, over] = [row('RACING', false), row('RACING', true), row('FINISHED', true)];
  assert.equal(cue(running(racing), running(won)), 'other');
  assert.equal(cue(running(won), running(over)), null);
  assert.equal(cue(running(racing), running(over)), 'other');
});

test('a suit of a rival has a sound, a finish comes before it', () => {
  const cue = (old, next) => cueOf(old, next, { type: 'standings' });
  const row = (seat, place, suits = 0, state = 'RACING') => ({ seat, place, suits, state });
  const before = running(row(1, 1), row(0, 2));
  assert.equal(cue(before, running(row(1, 1, 1), row(0, 2))), 'suit');
  assert.equal(cue(before, running(row(1, 1), row(0, 2, 1))), null, 'the own act has its own');
  assert.equal(cue(before, running(row(0, 1), row(1, 2))), null, 'the leaderboard has the lead');
  assert.equal(cue(before, running(row(0, 1), row(1, 2, 1, 'FINISHED'))), 'other');
});

test('a start and an end sound when their message comes, not when they are shown', () => {
  const room = (state) => ({ code: 'A', state, seats: [{ seat: 0, state }] });
  const before = { me: { seat: 0 }, room: room('READY'), standings: [], over: null };
  const after = { ...before, room: room('RACING') };
  assert.equal(cueOf(before, after, { type: 'room' }), 'go');
  assert.equal(cueOf(after, after, { type: 'changes' }), null);
  assert.equal(cueOf({ ...before, room: null }, after, { type: 'joined' }), null, 'a reload');
  const over = (...winners) => ({ ...after, over: { n: 1, winners } });
  assert.equal(cueOf(after, over(0), { type: 'round_over' }), 'won');
  assert.equal(cueOf(after, over(1), { type: 'round_over' }), 'over');
  assert.equal(cueOf(over(1), over(1), { type: 'round_over' }), null);
});

test('the lead that is taken sounds unlike the lead that is lost, or that of others', () => {
  const [me, bob, cleo] = [0, 1, 2];
  for (const [before, after, own, cue] of [
    [bob, me, me, 'ahead'],
    [me, bob, me, 'behind'],
    [cleo, bob, me, 'lead'],
    [cleo, bob, -1, 'lead'], // to spectators
    [undefined, me, me, null], // the first lead is no change
    [me, undefined, me, null], // nor is a tie
    [me, me, me, null],
  ])
    assert.equal(leadCue(before, after, own), cue);
});
