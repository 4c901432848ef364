// The page of a room's link: the invitation of the host, and the form for a name.

import { fetchInvitation, invitationTo } from '../page/invitations.js';
import { strings } from '../strings/language.js';
import { h, listen, write } from '../widgets/element.js';
import { languageField } from '../widgets/language-field.js';
import { seatMark } from '../widgets/seat-mark.js';
import { nameField, nameInput, onSubmit, problemLine, readName, title } from './entry-form.js';

/**
 * @import {Invitation} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof makePage>} Page
 */

const POLL_MS = 10_000;
const TICK_MS = 1_000;

/** Make the elements of the page. @param {App} app @param {string} code */
function makePage(app, code) {
  const face = h('span', { class: 'join-face', 'aria-hidden': 'true' });
  const host = h('h2', { id: 'join-host' });
  const facts = h('p', { class: 'join-facts', id: 'join-facts' });
  const state = h('p', { class: 'join-state', id: 'join-state' });
  const note = h('p', { class: 'text-small join-note', id: 'join-note' });
  const input = nameInput();
  const nameProblem = problemLine('name-problem');
  const problem = problemLine('problem');
  const chase = h('button', {
    id: 'join-chase',
    type: 'submit',
    'data-kind': 'primary',
    text: strings.JOIN.chaseNow,
    hidden: true,
  });
  const play = h('button', { id: 'join', type: 'submit' });
  const watch = h('button', { id: 'watch', text: strings.LANDING.watch });

  /**
   * Join the room, if a name is given.
   * @param {'player' | 'spectator'} role
   * @param {boolean} [chases] whether the running race's deal is played at once
   */
  function enter(role, chases = false) {
    const name = readName(input, nameProblem);
    if (name) app.enter({ type: 'join', room: code, name, role }, { startsAtOnce: false, chases });
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
    nameField(input, nameProblem),
    h('div', { class: 'buttons buttons-wide join-choices' }, chase, play, watch),
  );
  const element = h(
    'div',
    { class: 'page landing' },
    title(
      strings.LANDING.invited,
      h('strong', { class: 'text-code', text: strings.grouped(code) }),
    ),
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'join-host' },
      h('div', { class: 'join-head' }, face, h('div', {}, host, facts, state)),
      note,
      form,
      problem,
      h(
        'p',
        { class: 'text-small landing-back' },
        h('a', { href: '/', text: strings.LANDING.back }),
      ),
    ),
    languageField(app.speak),
  );
  return { element, face, host, facts, state, note, form, input, problem, chase, play, watch };
}

/** Return what newcomers should know before they join. @param {Invitation} room */
function joinNote({ locked, full, watchable, approve, chasers, running_ms, host, programs }) {
  const words = strings.JOIN;
  if (locked) return words.locked;
  if (!watchable) return words.crowded;
  if (full) return words.full;
  return [
    running_ms !== null && (chasers ? words.chase : words.late),
    approve && strings.decides(host),
    programs === false && words.noPrograms, // a server of another release may not say
  ]
    .filter(Boolean)
    .join(' ');
}

/** Show the mark of the host, or a letter while the colour is not known. @param {HTMLElement} face @param {Invitation | undefined} room */
function showFace(face, room) {
  const colour = room?.colour ?? '';
  const [letter = '♠'] = room?.host ?? '';
  if (face.dataset.of === colour + letter) return;
  face.dataset.of = colour + letter;
  face.replaceChildren(colour ? seatMark(colour) : letter.toUpperCase());
}

/** Show the invitation, or that it is not loaded yet. @param {Page} page @param {Invitation | undefined} room */
function show({ element, face, host, facts, note, form, chase, play, watch }, room) {
  const words = strings.JOIN;
  element.dataset.known = String(Boolean(room));
  showFace(face, room);
  write(host, strings.invites(room?.host ?? ''));
  write(facts, room ? strings.roomFacts(room) : '');
  write(note, room ? joinNote(room) : '');
  form.hidden = room ? room.locked || !room.watchable : false;
  play.hidden = room?.full ?? false;
  const isLate = typeof room?.running_ms === 'number';
  chase.hidden = !isLate || !room?.chasers || room.approve || play.hidden;
  play.parentElement?.toggleAttribute('data-late', isLate); // their labels are sentences
  write(play, room?.approve ? words.ask : isLate ? words.joinLate : words.join);
  play.dataset.kind = chase.hidden ? 'primary' : 'plain';
  watch.dataset.kind = play.hidden ? 'primary' : 'plain';
}

/** Bind the page. @param {HTMLElement} root @param {App} app @param {string} code @returns {Bound} */
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
