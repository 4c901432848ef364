// What people say to each other: one window that goes along from screen to screen.
//
// Text of others goes in as text only. Whom the player has muted is kept here, in this browser.

import { strings } from '../core/language.js';
import { silencedIn, storeSilenced } from '../core/preferences.js';
import { h, keyed, listen, write } from '../shared/element.js';

/**
 * @import {Said} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 * @import {App} from '../main.js'
 * @typedef {{seat: number, name: string}} Voice
 * @typedef {ReturnType<typeof makeChat>} Chat
 */

const LINE_LENGTH = 200;
const LINES_KEPT = 200;
const FROM_THE_END = 40;
/** @type {readonly NonNullable<Said['emote']>[]} */
const EMOTES = ['good_luck', 'well_played', 'wow', 'oops', 'hurry', 'thanks'];
/** @param {string} emote a newer server may have newer ones */
const emoteText = (emote) =>
  strings.CHAT.emoteWords[/** @type {typeof EMOTES[number]} */ (emote)] ?? '…';

/** @param {App} app @param {(text: string) => void} murmur says it when nothing more urgent is said */
export function makeChat(app, murmur) {
  const badge = h('span', { class: 'chat-badge', 'aria-hidden': 'true' });
  const title = h('span', { class: 'chat-title' });
  const toggle = h(
    'button',
    { id: 'chat-toggle', type: 'button', 'aria-controls': 'chat-panel', onclick: flip },
    title,
    badge,
  );
  const log = h('div', { id: 'chat-log', role: 'log', tabindex: 0 });
  const empty = h('p', { class: 'small chat-empty' });
  const emotes = h('div', { class: 'emotes', role: 'group' });
  for (const emote of EMOTES) {
    const button = h('button', { type: 'button' });
    button.dataset.emote = emote;
    button.addEventListener('click', () => app.say({ type: 'say', emote }));
    emotes.append(button);
  }
  const line = h('input', { id: 'chat-line', maxlength: LINE_LENGTH, autocomplete: 'off' });
  line.enterKeyHint = 'send';
  const send = h('button', { type: 'submit', id: 'chat-send' });
  const problem = h('p', { class: 'problem', id: 'chat-problem', role: 'alert' });
  const voices = h('ul', { class: 'voices' });
  const muting = h('summary');
  const hush = h('details', { class: 'hush', id: 'chat-mute' }, muting, voices);
  const close = h('button', { type: 'button', class: 'quiet', id: 'chat-close', onclick: flip });
  const heading = h('h2', {});
  const panel = h(
    'div',
    { id: 'chat-panel', hidden: true },
    h('div', { class: 'chat-head' }, heading, hush, close),
    log,
    empty,
    emotes,
    h('form', { class: 'joining', onsubmit: speak }, line, send),
    problem,
  );
  const element = h('section', { id: 'chat', hidden: true }, toggle, panel);
  document.body.append(element);

  let open = false;
  let inline = false;
  let unread = 0;
  let room = '';
  let next = '';
  let heardUpTo = 0;
  let sending = false;
  let noticed = 0;
  /** @type {Set<number>} */
  let silent = new Set();
  /** @type {Map<number, string>} */
  const spoken = new Map();

  listen(element, 'keydown', (event) => {
    if (event.key !== 'Escape' || inline || !open) return;
    event.stopPropagation();
    flip();
  });

  function name() {
    const words = strings.CHAT;
    element.setAttribute('aria-label', words.title);
    write(title, words.title);
    write(heading, words.title);
    write(empty, words.empty);
    log.setAttribute('aria-label', words.log);
    emotes.setAttribute('aria-label', words.emotes);
    line.placeholder = words.placeholder;
    line.setAttribute('aria-label', words.placeholder);
    write(send, words.send);
    write(muting, words.mute);
    write(close, '×');
    close.setAttribute('aria-label', words.close);
    for (const button of emotes.querySelectorAll('button'))
      write(button, emoteText(button.dataset.emote ?? ''));
    for (const each of log.children)
      if (each instanceof HTMLElement && each.dataset.emote)
        write(each.children[1] ?? each, emoteText(each.dataset.emote));
  }

  const shown = () => !element.hidden && (inline || open);

  function show() {
    panel.hidden = !inline && !open;
    toggle.hidden = inline;
    close.hidden = inline;
    document.body.dataset.chat = shown() && !inline ? 'open' : 'closed';
    toggle.setAttribute('aria-expanded', String(open));
    if (shown()) unread = 0;
    write(badge, unread > 0 ? String(Math.min(unread, 99)) : '');
    toggle.setAttribute('aria-label', strings.chatUnread(unread));
    if (shown()) log.scrollTop = log.scrollHeight;
  }

  function flip() {
    const inside = panel.contains(document.activeElement);
    open = !open;
    show();
    if (open) line.focus();
    else if (inside) toggle.focus();
  }

  /** @param {Event} event */
  function speak(event) {
    event.preventDefault();
    const text = line.value.trim();
    write(problem, '');
    if (!text) return;
    sending = true; // the words stay in the field until they have been heard
    app.say({ type: 'say', text });
  }

  /** @param {Voice} voice @param {boolean} on */
  function silence({ seat }, on) {
    if (on) silent.add(seat);
    else silent.delete(seat);
    storeSilenced(room, [...silent]);
    for (const each of log.children)
      if (each instanceof HTMLElement) each.hidden = silent.has(Number(each.dataset.seat));
    tellVoices(app.state());
  }

  /** Everybody else who is here or has said something. @param {State} state */
  function tellVoices(state) {
    const all = new Map(spoken);
    for (const { seat, name: called } of state.room?.seats ?? []) all.set(seat, called);
    all.delete(state.me?.seat ?? -1);
    hush.hidden = all.size === 0;
    const list = Array.from(all, ([seat, called]) => ({ seat, name: called }));
    keyed(
      voices,
      list,
      ({ seat }) => String(seat),
      (voice) => {
        const button = h('button', { type: 'button' });
        button.addEventListener('click', () => silence(voice, !silent.has(voice.seat)));
        return h('li', {}, button);
      },
      (item, voice) => {
        const [button] = item.children;
        const on = silent.has(voice.seat);
        button?.setAttribute('aria-pressed', String(on));
        if (button) write(button, strings.muteVoice(voice.name, on));
      },
    );
  }

  /** @param {string} code */
  function enter(code) {
    if (code !== next) {
      log.replaceChildren();
      empty.hidden = false;
      unread = 0;
    }
    spoken.clear();
    room = code;
    heardUpTo = 0;
    silent = new Set(silencedIn(code));
  }

  return {
    /** The event of the room up to which all that was said has been heard. */
    heardUpTo: () => heardUpTo,
    /** Where the keys go on after the window has gone along to another screen. */
    focused: () =>
      element.contains(document.activeElement)
        ? /** @type {HTMLElement} */ (document.activeElement)
        : null,
    /** Goes into the screen that has a place for it, or stands at the edge. */
    settle() {
      const place = document.getElementById('chat-place');
      inline = place !== null;
      (place ?? document.body).append(element);
      element.classList.toggle('panel', inline);
      if (!inline) open = false;
      name();
      show();
    },
    /** A store that has lost events counts them anew. @param {number} v the latest there is */
    rejoined(v) {
      heardUpTo = Math.min(heardUpTo, v);
    },
    /** @param {Said} said */
    heard({ v, seat, name: who, text, emote }) {
      const code = app.state().room?.code;
      if (code && code !== room) enter(code);
      if (v <= heardUpTo) return;
      heardUpTo = v;
      spoken.set(seat, who);
      const words = text ?? emoteText(emote ?? '');
      const own = seat === app.state().me?.seat;
      const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < FROM_THE_END;
      const item = h('p', {}, h('b', { text: who }), h('span', { text: words }));
      item.dataset.seat = String(seat);
      if (emote) item.dataset.emote = emote;
      item.classList.toggle('own', own);
      item.hidden = silent.has(seat);
      log.append(item);
      if (log.children.length > LINES_KEPT) log.firstElementChild?.remove();
      empty.hidden = true;
      if (own && text !== null && sending) {
        sending = false;
        line.value = '';
      }
      if (own || item.hidden) {
        if (own) log.scrollTop = log.scrollHeight;
        return;
      }
      if (shown()) {
        if (atEnd) log.scrollTop = log.scrollHeight;
        return;
      }
      unread += 1;
      show();
      murmur(strings.says(who, words));
    },
    /** @param {State} state */
    update(state) {
      element.hidden = !state.room || state.me === null;
      if (!state.room) {
        if (document.body.dataset.chat === 'open') show();
        return;
      }
      if (state.room.code !== room) enter(state.room.code);
      next = state.room.rematch ?? '';
      tellVoices(state);
      const { notice } = state;
      if (notice && notice.n !== noticed && notice.command === 'say') {
        sending = false;
        write(problem, strings.sentence(notice));
      }
      noticed = notice?.n ?? 0;
    },
  };
}
