// The page of a room's link, with the host's invitation and a form for the player's name. Also the page for a closed
// room or an unknown address. The front page does not load this module; the HTML of a room's link preloads it.

import { fetchInvitation, invitationTo } from '../page/addresses.js';
import { keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { cardFan, makeNameField, problemLine } from '../widgets/controls.js';
import { callAll, every, h, loadSheet, set } from '../widgets/element.js';
import { seatMark } from '../widgets/names.js';

/**
 * @import {Invitation} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof makePage>} Page
 */

const POLL_MS = 10_000;
const TICK_MS = 1_000;

/** Make the elements of the page behind a room's link. @param {App} app @param {string} code */
function makePage(app, code) {
  const words = strings.LANDING;
  const name = makeNameField(words.name);
  /** Join the room, or ask for the name if it is missing. @param {'player' | 'spectator'} role @param {boolean} [chases] whether to start late */
  function enter(role, chases = false) {
    const typed = name.demand();
    if (typed) app.enter({ type: 'join', room: code, name: typed, role }, { chases });
  }
  const mark = seatMark('');
  const host = h('span');
  const facts = h('p', { class: 'text-small', id: 'join-facts' });
  const state = h('p', { class: 'text-small', id: 'join-state' });
  const note = h('p', { class: 'text-small', id: 'join-note' });
  const chase = h('button', { id: 'join-chase', type: 'submit', text: strings.JOIN.chaseNow });
  set(chase, { 'data-kind': 'primary' });
  const play = h('button', { id: 'join', type: 'submit' });
  const watch = h('button', { id: 'watch', text: words.watch, onclick: () => enter('spectator') });
  /** Join as player, latecomer or spectator, depending on the button. Enter presses the first one, even if hidden. @param {SubmitEvent} event */
  function onsubmit({ submitter }) {
    const chases = submitter === chase && !chase.hidden;
    enter(chases || !play.hidden ? 'player' : 'spectator', chases); // a full room hides `play`
  }
  const form = h('form', { class: 'stack', onsubmit, novalidate: true }, name.element);
  form.append(chase, play, watch);
  const problem = problemLine('problem');
  set(problem, { text: app.reason() });
  const room = h('strong', { class: 'text-code', text: strings.grouped(code) });
  const invited = h('p', { class: 'text-small' }, words.invited, room);
  const head = h('h1', { id: 'join-host' }, mark, host);
  const looks = { class: 'pane pane-lit landing-stage', 'aria-labelledby': 'join-host' };
  const about = [invited, head, h('div', {}, facts, state), note];
  const stage = h('section', looks, ...about, form, problem);
  const text = strings.BUTTONS.front;
  const back = h('a', { class: 'buttons-link', 'data-kind': 'link', href: '/', text });
  const element = h('div', { class: 'page stack landing' }, stage, back);
  return { element, name, mark, host, facts, state, note, form, chase, play, watch };
}

/** Return whether the race started without the newcomer. Nobody is late for an open race. @param {Invitation} room */
const isLateFor = ({ running_ms, window_end }) => running_ms !== null && !window_end;

/** Return the note of an invitation: why a newcomer cannot join or play, or what to expect. @param {Invitation} room */
function joinNote(room) {
  const { locked, full, watchable, approve, chasers, host, programs, window_end } = room;
  const words = strings.JOIN;
  if (locked) return words.locked;
  if (!watchable) return words.crowded; // full for spectators too
  if (full) return words.full;
  return [
    isLateFor(room) && (chasers ? words.chase : words.late),
    window_end && words.open,
    approve && strings.decides(host),
    programs === false && words.noPrograms, // older servers don't say
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Show the invitation.
 * @param {Page} page @param {Invitation | undefined} room undefined while it is loading
 * @param {number} ms how long its race has been running
 */
function showInvitation(page, room, ms) {
  const words = strings.JOIN;
  const { host = '', colour, full = false, approve } = room ?? {};
  const isLate = room !== undefined && isLateFor(room);
  const joinText = isLate ? words.joinLate : words.join;
  const hasChase = isLate && room.chasers && !approve && !full; // not if the host has to admit the player
  set(page.mark, { 'data-colour': colour, hidden: !colour }); // a host who watches has none
  set(page.host, { text: strings.invites(host) });
  set(page.facts, { text: room ? strings.roomFacts(room) : '' });
  set(page.state, { text: room ? strings.roomState(room, ms) : '' });
  set(page.note, { text: room ? joinNote(room) : '' });
  set(page.form, { hidden: room !== undefined && (room.locked || !room.watchable) });
  set(page.chase, { hidden: !hasChase });
  set(page.play, { text: approve ? words.ask : joinText, hidden: full });
  set(page.play, { 'data-kind': hasChase ? 'plain' : 'primary' });
  set(page.watch, { 'data-kind': full ? 'primary' : 'plain' });
}

/** Bind the page of a room's link. @param {HTMLElement} root @param {App} app @param {string} code @returns {Bound} */
function bindJoin(root, app, code) {
  const page = makePage(app, code);
  let room = invitationTo(code) ?? undefined; // from the head of the document, or an earlier request
  let fetchedAt = performance.now();
  const draw = () =>
    showInvitation(page, room, (room?.running_ms ?? 0) + performance.now() - fetchedAt);
  /** Load the style sheet that draws the host's mark, if there is one. */
  const loadMark = () => room?.colour && loadSheet('race').catch(() => {});

  /** Show an answer; return the ms until the next request, 0 for none. @param {Invitation | null | undefined} found */
  function show(found) {
    if (found) {
      room = found;
      fetchedAt = performance.now();
      draw();
      loadMark();
    }
    if (found !== null) return POLL_MS;
    app.visit(code); // shows that the room is closed
    return 0;
  }

  root.replaceChildren(page.element);
  draw();
  loadMark();
  const stopTicking = every(TICK_MS, draw); // the time since the start of the race
  const fetching = keepFetching(() => fetchInvitation(code), show, room && POLL_MS);
  if (!page.form.hidden) page.name.input.focus();
  return { update() {}, unbind: callAll(stopTicking, fetching.stop) };
}

/** Bind the page for a missing room or page. @param {HTMLElement} root @param {App} _app @param {string} code of the closed room, or '' @returns {Bound} */
function bindMissing(root, _app, code) {
  const words = strings.MISSING;
  const fan = cardFan(undefined, 'QS');
  set(fan, { 'data-small': true });
  const title = h('h1', { text: code ? words.room : words.page });
  const about = h('p', { text: code ? words.roomText : words.pageText });
  const looks = { class: 'buttons-link', id: 'front', 'data-kind': 'primary', 'data-size': 'big' };
  const front = h('a', { ...looks, href: '/', text: strings.BUTTONS.front });
  const page = { class: 'page page-title stack landing', id: 'missing' };
  root.replaceChildren(h('div', page, fan, title, about, front));
  return { update() {}, unbind() {} };
}

export const SCREENS = { join: bindJoin, missing: bindMissing };
