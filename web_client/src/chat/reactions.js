// Reactions: the emotes of the chat, each with a sign and words, which one press sends.

import { strings } from '../strings/language.js';
import { h, set, svg } from '../widgets/element.js';

/** @import {Said} from '../contract/messages.d.ts' */
/** @typedef {NonNullable<Said['emote']>} Emote */
/** @typedef {(seat: number, emote: string, text: string) => void} Listener */

const FACE = 'M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z';
const INK = '#3a2a00';

/**
 * The signs, drawn so that every device has them and all are alike: their shapes, each as a path with a
 * fill or, with a width, a line.
 * @type {Readonly<Record<Emote, readonly (readonly [string, string, number?])[]>>}
 */
const SIGNS = {
  good_luck: [
    ['M10 11q1 4 3 7', '#2f8f4e', 1.6],
    ['M9.5 9.500h-4a3.2 3.2 0 1 1 2.6-4.600a3.2 3.2 0 0 1 1.4 4.600z', '#43b869'],
    ['M10.5 9.500v-4a3.2 3.2 0 1 1 4.6 2.600a3.2 3.2 0 0 1-4.6 1.400z', '#3aa65d'],
    ['M9.5 10.500v4a3.2 3.2 0 1 1-4.6-2.600a3.2 3.2 0 0 1 4.6-1.400z', '#3aa65d'],
    ['M10.5 10.500h4a3.2 3.2 0 1 1-2.6 4.600a3.2 3.2 0 0 1-1.4-4.600z', '#43b869'],
  ],
  well_played: [
    ['M2 9h3.500v9H2z', '#4f8fe8'],
    ['M6.5 9 10 2q3-.6 2.6 2.600L12 7.500h5q1.6.6 1 2.400l-2 7q-.6 1.1-2 1.100H6.500z', '#ffd34d'],
  ],
  wow: [
    [FACE, '#ffd34d'],
    ['M6.8 6a1.3 1.7 0 1 1 0 3.400a1.3 1.7 0 1 1 0-3.400z', INK],
    ['M13.2 6a1.3 1.7 0 1 1 0 3.400a1.3 1.7 0 1 1 0-3.400z', INK],
    ['M10 11a2.3 3 0 1 1 0 6a2.3 3 0 1 1 0-6z', INK],
  ],
  oops: [
    [FACE, '#ffd34d'],
    ['M5.5 6.5 8 9M8 6.5 5.5 9M12 6.5 14.5 9M14.5 6.5 12 9', INK, 1.4],
    ['M5.5 14q1.5-2 3 0t3 0 3 0', INK, 1.5],
  ],
  hurry: [['M12 1 4 11.500h5L7.5 19 16 8h-5.500z', '#ff9d3f']],
  thanks: [
    [
      'M10 18C2 12 1 8 2.4 5.2 4 2 8.2 2.2 10 5.500c1.8-3.3 6-3.5 7.6-.3C19 8 18 12 10 18z',
      '#ff6f7d',
    ],
  ],
};

/** Make the sign of an emote, as high as the text around it; null for one that only a newer server knows. @param {string} emote */
export function reactionSign(emote) {
  const shapes = SIGNS[/** @type {Emote} */ (emote)];
  if (!shapes) return null;
  const paths = shapes.map(([d, colour, width]) =>
    svg(
      'path',
      width
        ? { d, fill: 'none', stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round' }
        : { d, fill: colour },
    ),
  );
  const box = { viewBox: '0 0 20 20', width: '1.25em', height: '1.25em', 'aria-hidden': 'true' };
  return svg('svg', box, ...paths);
}

/** Return the words of an emote. @param {string} emote */
export function emoteText(emote) {
  return strings.CHAT.emoteWords[/** @type {Emote} */ (emote)] ?? '…';
}

/**
 * Make the buttons of all emotes and, for screens where they have no room, the button that opens them.
 * @param {(emote: Emote) => void} react sends an emote
 */
export function makeEmotes(react) {
  const label = strings.CHAT.emotes;
  const buttons = /** @type {Emote[]} */ (Object.keys(SIGNS)).map((emote) => {
    const text = emoteText(emote);
    const onclick = (/** @type {MouseEvent} */ event) => press(emote, event);
    const words = h('span', { text });
    const looks = { title: text, 'aria-label': text, 'data-emote': emote };
    return h('button', { ...looks, onclick }, reactionSign(emote), words);
  });
  const emotes = h(
    'div',
    {
      class: 'chat-emotes',
      id: 'emotes',
      role: 'group',
      'aria-label': label,
      onkeydown: closeByKey,
    },
    ...buttons,
  );
  const looks = { title: label, 'aria-label': label, 'aria-controls': 'emotes' };
  const opener = h(
    'button',
    { class: 'chat-react', id: 'react', ...looks, onclick: toggle },
    reactionSign('wow'),
  );
  show(false);

  const isOpen = () => emotes.hasAttribute('data-open');

  /** Open or close them. @param {boolean} isToOpen */
  function show(isToOpen) {
    set(emotes, { 'data-open': isToOpen });
    set(opener, { 'aria-expanded': String(isToOpen) });
  }

  /** Open them and go to the first, or close them. */
  function toggle() {
    show(!isOpen());
    if (isOpen()) buttons[0]?.focus();
  }

  /** Close them by the key. @param {KeyboardEvent} event */
  function closeByKey(event) {
    if (event.key !== 'Escape' || !isOpen()) return;
    event.stopPropagation();
    show(false);
    opener.focus();
  }

  /** Send an emote; in the race the keys go to the board again after a pointer's press. @param {Emote} emote @param {MouseEvent} event */
  function press(emote, { detail }) {
    react(emote);
    const wasOpen = isOpen();
    show(false);
    if (detail > 0) document.getElementById('board')?.focus({ preventScroll: true });
    else if (wasOpen) opener.focus();
  }

  return {
    emotes,
    opener,
    /** Close them after a press elsewhere. @param {Node} target of the press */
    closeUnless(target) {
      if (!emotes.contains(target) && !opener.contains(target)) show(false);
    },
  };
}

// Emotes that were just received, for parts that show them beside their senders.

/** @type {Set<Listener>} */
const listeners = new Set();

/** Call the listeners with an emote. @param {number} seat @param {string} emote @param {string} text its words */
export function publishEmote(seat, emote, text) {
  for (const listener of listeners) listener(seat, emote, text);
}

/** Call a listener with each emote. @param {Listener} listener @returns {() => void} the unbinder */
export function onEmote(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
