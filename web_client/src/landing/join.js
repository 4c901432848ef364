// The page of a room's link: the invitation of the host, and the form for a name.

import { fetchInvitation, invitationTo } from '../core/invitations.js';
import { strings } from '../core/language.js';
import { h, listen, write } from '../shared/element.js';
import { languageField } from '../shared/language-field.js';
import { nameField, nameInput, onSubmit, problemLine, readName, title } from './parts.js';

/**
 * @import {Invitation} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {Bound} from '../shared/screens.js'
 * @typedef {ReturnType<typeof makePage>} Page
 */

const POLL_MS = 10_000;
const TICK_MS = 1_000;

/** Make the elements of the page. @param {App} app @param {string} code */
function makePage(app, code) {
  const initial = h('span', { class: 'join-face', 'aria-hidden': 'true' });
  const host = h('h2', { id: 'join-host' });
  const facts = h('p', { id: 'join-facts' });
  const state = h('p', { id: 'join-state' });
  const note = h('p', { id: 'join-note', class: 'small-text' });
  const input = nameInput();
  const problem = problemLine('problem');
  const chase = h('button', {
    id: 'join-chase',
    type: 'submit',
    class: 'primary',
    text: strings.JOIN.chaseNow,
    hidden: true,
  });
  const play = h('button', { id: 'join', type: 'submit' });
  const watch = h('button', { id: 'watch', type: 'button', text: strings.LANDING.watch });

  /** Join the room, if a name is given. @param {'player' | 'spectator'} role @param {boolean} [chases] whether the running race's deal is played at once */
  function enter(role, chases = false) {
    const name = readName(input, problem);
    if (name) app.enter({ type: 'join', room: code, name, role }, { alone: false, chases });
  }
  // The Enter key takes the first button, which may be hidden.
  chase.addEventListener('click', (event) => {
    if (chase.hidden) return;
    event.preventDefault();
    enter('player', true);
  });
  watch.addEventListener('click', () => enter('spectator'));
  const form = h(
    'form',
    { onsubmit: onSubmit(() => enter(play.hidden ? 'spectator' : 'player')), novalidate: true },
    nameField(input),
    h('div', { class: 'buttons wide' }, chase, play, watch),
  );
  const element = h(
    'div',
    { class: 'page landing' },
    title(
      strings.LANDING.invited,
      h('strong', { class: 'room-code', text: strings.grouped(code) }),
    ),
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'join-host' },
      h('div', { class: 'join-head' }, initial, h('div', {}, host, facts, state)),
      note,
      form,
      problem,
      h(
        'p',
        { class: 'small-text landing-back' },
        h('a', { href: '/', text: strings.LANDING.back }),
      ),
    ),
    languageField(app),
  );
  return { element, initial, host, facts, state, note, form, input, problem, chase, play, watch };
}

/** Return what newcomers should know before they join. @param {Invitation} room */
function joinNote({ locked, full, watchable, approve, chasers, running_ms, host }) {
  const words = strings.JOIN;
  if (locked) return words.locked;
  if (!watchable) return words.crowded;
  if (full) return words.full;
  return [
    running_ms !== null && (chasers ? words.chase : words.late),
    approve && strings.decides(host),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Show the invitation, or that it is not loaded yet. @param {Page} page @param {Invitation | undefined} room */
function show({ element, initial, host, facts, note, form, chase, play, watch }, room) {
  const words = strings.JOIN;
  const [letter = '♠'] = room?.host ?? '';
  element.dataset.known = String(Boolean(room));
  write(initial, letter.toUpperCase());
  write(host, strings.invites(room?.host ?? ''));
  write(facts, room ? strings.roomFacts(room) : '');
  write(note, room ? joinNote(room) : '');
  form.hidden = room ? room.locked || !room.watchable : false;
  play.hidden = room?.full ?? false;
  const isLate = typeof room?.running_ms === 'number';
  chase.hidden = !isLate || !room?.chasers || room.approve || play.hidden;
  play.parentElement?.classList.toggle('join-choices', isLate); // their labels are sentences
  write(play, room?.approve ? words.ask : isLate ? words.joinLate : words.join);
  play.classList.toggle('primary', chase.hidden);
  watch.classList.toggle('primary', play.hidden);
}

/**
 * Bind the page.
 *
 * @param {HTMLElement} root
 * @param {App} app
 * @param {string} code
 * @returns {Bound}
 */
export function bindJoin(root, app, code) {
  const page = makePage(app, code);
  let room = invitationTo(code) ?? undefined;
  let fetchedAt = performance.now();
  let isBound = true;

  /** Show how long the race has been running. */
  function tick() {
    const ms = (room?.running_ms ?? 0) + performance.now() - fetchedAt;
    write(page.state, room ? strings.roomState(room, ms) : '');
  }

  /** Fetch the invitation again. */
  async function poll() {
    if (document.visibilityState === 'hidden') return;
    const found = await fetchInvitation(code);
    if (!isBound) return;
    if (found === null) {
      app.visit(code); // the room is closed, for which there is another page
      return;
    }
    if (!found) return;
    room = found;
    fetchedAt = performance.now();
    show(page, room);
    tick();
  }

  root.replaceChildren(page.element);
  write(page.problem, app.reason());
  show(page, room);
  tick();
  if (!room) poll();
  const timers = [setInterval(tick, TICK_MS), setInterval(poll, POLL_MS)];
  const unlisten = listen(document, 'visibilitychange', poll);
  if (!page.form.hidden) page.input.focus();
  return {
    update() {},
    unbind() {
      isBound = false;
      for (const timer of timers) clearInterval(timer);
      unlisten();
    },
  };
}
