// A whole page in node: the real document and modules, a scripted connection, and a clock that stands
// still unless a test moves it. So a test says: these messages arrive, this is on the page, this is said,
// and this click or key sends this message.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import { Window } from '../../web_client/node_modules/happy-dom/lib/index.js';
import { game, room } from './examples.js';
import { Channel, FRAME_MS, makeClock, Socket } from './scripted.js';

export { NOW } from './scripted.js';

const CLIENT = new URL('../../web_client/', import.meta.url);
const SOURCE = new URL('src/', CLIENT);
const SCRIPTS = /<script[\s\S]*?<\/script>/g;
const HTML = readFileSync(new URL('index.html', CLIENT), 'utf8').replace(SCRIPTS, '');
const SIZE = { width: 1280, height: 800 };
/** The classes of a window that modules use, and more of its properties. */
const CLASSES = /^(HTML|SVG|Mutation|Resize|Intersection).|^(Element|Node|.*Event)$/;
const OF_WINDOW = ['document', 'location', 'history', 'navigator', 'localStorage', 'matchMedia'];
const BOUND = ['getComputedStyle', 'scrollTo', 'getSelection'];
/** Modules that run on their own. */
const ROOTS = ['main.js', 'old-browser.js'];

function setGlobals(values) {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

const { settings: USUAL } = room([]);
/** The presets of the server. The page asks for them once, so that all tests of a process have the same. */
const PRESETS = [
  { id: 'friends', settings: { ...USUAL, time_limit_s: 900 } },
  { id: 'four-suits', settings: { ...USUAL, game: 'spider-4', time_limit_s: 1_800 } },
  { id: 'windows', settings: { ...USUAL, game: 'spider-2', score: 'moves', hints: true } },
];

let opened = 0;

/**
 * Open a page.
 * @param {string} [path] of its address
 * @param {{stored?: Record<string, any>, answers?: Record<string, any>, invitation?: any,
 *   aheadMs?: number, entry?: any}} [how] `stored` is in the browser's storage, `answers` are the bodies or
 *   statuses of requests by path, or functions of their query that return them, `invitation` is in the
 *   document, the server's clock is ahead by `aheadMs`, and `entry` is the state of the page's entry in the
 *   history: it was reloaded
 */
export async function openPage(path = '/', how = {}) {
  const { stored = {}, answers, invitation, aheadMs = 0, entry = null } = how;
  const files = { disableCSSFileLoading: true, handleDisabledFileLoadingAsSuccess: true };
  const settings = { ...files, errorCapture: 'disabled' }; // what a listener throws fails the test
  if (opened) {
    const { forgetSent } = await import(`${SOURCE.href}room/settings.js`);
    forgetSent(); // an earlier test's change of the settings may still wait for its answer
    await choose(stored); // pages that are gone still listen: they draw on their own document
    await makeClock().pass(0);
  }
  const window = new Window({ url: `http://spider.test${path}`, settings, ...SIZE });
  after(() => window.happyDOM.abort()); // its observers' timers would keep the process alive
  const { document } = window;
  if (entry) window.history.replaceState(entry, '');
  document.write(HTML);
  if (invitation)
    document.head.innerHTML += `<meta name="room" content='${JSON.stringify(invitation)}'>`;
  const { prototype } = window.HTMLElement;
  Object.defineProperty(prototype, 'clientWidth', { get: () => SIZE.width });
  Object.defineProperty(prototype, 'clientHeight', { get: () => SIZE.height });
  const animated = [];
  prototype.scrollIntoView = () => {};
  prototype.animate = function animate() {
    animated.push(this);
    return { cancel() {} };
  };
  const { showModal } = window.HTMLDialogElement.prototype;
  window.HTMLDialogElement.prototype.showModal = function show() {
    const { activeElement: before } = document;
    this.addEventListener('close', () => before.focus(), { once: true });
    showModal.call(this);
    (this.querySelector('[autofocus]') ?? this.querySelector('button'))?.focus();
  };
  Object.assign(Socket, { isSilent: false, aheadMs, made: [] });
  const clock = makeClock();
  const names = ['spider-1', 'spider-2', 'spider-4', 'spiderette-2', 'little-spider'];
  const catalogue = { games: names.map(game), presets: PRESETS };
  const all = { '/api/catalogue': catalogue, '/api/rooms': { rooms: [] }, ...answers };
  const fetch = async (url) => {
    const { pathname, searchParams } = new URL(url, 'http://spider.test');
    const found = all[pathname] ?? 404;
    const body = typeof found === 'function' ? found(searchParams) : found;
    return Response.json(body, { status: typeof body === 'number' ? body : 200 });
  };
  const used = Object.getOwnPropertyNames(window).filter((name) => CLASSES.test(name));
  const { clear, setTimeout, setInterval, requestAnimationFrame, now } = clock;
  for (const name of [...used, ...OF_WINDOW]) setGlobals({ [name]: window[name] });
  for (const name of BOUND) setGlobals({ [name]: window[name].bind(window) });
  setGlobals({ window, fetch, WebSocket: Socket, BroadcastChannel: Channel });
  setGlobals({ setTimeout, clearTimeout: clear, setInterval, clearInterval: clear });
  setGlobals({ requestAnimationFrame, cancelAnimationFrame: clear });
  setGlobals({ innerWidth: SIZE.width, innerHeight: SIZE.height });
  setGlobals({ performance: { now, getEntriesByType: () => [] } });
  Date.now = now;
  Math.random = () => 0.5;
  for (const [key, value] of Object.entries({ lesson: true, rules: 'open', ...stored }))
    window.localStorage.setItem(`spider-race.${key}`, JSON.stringify(value));
  if (!opened) {
    await loadModules();
    await choose(stored);
  }
  opened += 1;
  await import(`${SOURCE.href}main.js?${opened}`);
  const hand = makeHand(window, clock);
  await hand.draw();
  return Object.assign(hand, { window, document, answers: all, animated });
}

async function loadModules() {
  for (const file of readdirSync(SOURCE, { recursive: true }))
    if (file.endsWith('.js') && !ROOTS.includes(file)) await import(SOURCE.href + file);
}

/** Speak English, and set the preferences as the browser has them. @param {any} stored */
async function choose(stored) {
  const { CHOICES, prefer, preference } = await import(`${SOURCE.href}browser/storage.js`);
  const { speak } = await import(`${SOURCE.href}strings/language.js`);
  await speak('en');
  for (const [name, [usual]] of Object.entries(CHOICES)) {
    const value = stored[name] ?? usual;
    if (preference(name) !== value) prefer(name, value);
  }
}

function makeHand(window, clock) {
  const { document } = window;
  const socket = () => Socket.made.at(-1);
  /** Return an element that the page must have. @param {any} selector or the element itself */
  function find(selector) {
    const found = typeof selector === 'string' ? document.querySelector(selector) : selector;
    if (!found) throw new Error(`no ${selector} on the page`);
    return found;
  }
  const draw = () => clock.pass(2 * FRAME_MS);
  const hand = {
    find,
    draw,
    socket,
    all: (selector) => [...document.querySelectorAll(selector)],
    /** Return the text of an element, or the value of a field. @param {string} selector */
    text: (selector) =>
      find(selector)[find(selector).matches('input, select') ? 'value' : 'textContent'],
    /** Return the texts of elements that are not hidden. @param {string} selector */
    texts: (selector) =>
      hand.all(selector).flatMap((each) => (hand.isShown(each) ? each.textContent : [])),
    /** Return whether an element is on the page, and neither it nor an element around it is hidden. @param {any} each */
    isShown(each) {
      const element = typeof each === 'string' ? document.querySelector(each) : each;
      return element !== null && element.closest('[hidden], dialog:not([open])') === null;
    },
    screen: () => document.body.dataset.screen,
    focus: () => document.activeElement.id,
    /** Return the messages that were sent since the last call, without attempts. @param {...string} types by default all but pings */
    sent: (...types) => hand.sentWhole(...types).map(({ attempt: _, ...message }) => message),
    sentWhole(...types) {
      const all = socket().sent.splice(0);
      return all.filter(({ type }) => (types.length > 0 ? types.includes(type) : type !== 'ping'));
    },
    /** Return the actions that were sent since the last call. */
    acts: () => hand.sent('act').map(({ action }) => action),
    /** Let the server accept the latest connection, and send messages. @param {...any} messages */
    async accept(...messages) {
      socket().readyState = Socket.OPEN;
      socket().onopen();
      await hand.receive(...messages);
    },
    async receive(...messages) {
      for (const message of messages) socket().onmessage({ data: JSON.stringify(message) });
      await draw();
    },
    // Steps, and what the page has to show after each.

    /** Lose the connection. @param {number} code of the close @param {any} [shown] */
    async drop(code, shown = {}) {
      socket().onclose({ code });
      await draw();
      hand.shows(shown);
    },
    /** Let the server send messages. @param {any} message or several @param {any} shown */
    async hears(message, shown) {
      await hand.receive(...[message].flat());
      hand.shows(shown);
    },
    /** Let time pass. @param {number} ms @param {any} [shown] */
    async pass(ms, shown = {}) {
      await clock.pass(ms);
      hand.shows(shown);
    },
    /** Click an element. @param {any} target @param {any} [shown] @param {number} [detail] the number of the click */
    async click(target, shown = {}, detail = 1) {
      if (!find(target).disabled) await hand.fire(target, 'click', { detail });
      hand.shows(shown);
    },
    /** Click an element, and compare the messages that are sent. @param {string} selector @param {...any} messages */
    async sends(selector, ...messages) {
      await hand.click(selector);
      assert.deepEqual(hand.sent(), messages);
    },
    /** Press a key where the focus is. @param {string} key @param {any} [shown] @param {any} [init] */
    async press(key, shown = {}, init = {}) {
      const open = document.querySelector('dialog[open]');
      const keydown = { key, code: key, ...init };
      const goesOn = await hand.fire(document.activeElement, 'keydown', keydown);
      if (key === 'Escape' && goesOn) open?.close();
      hand.shows(shown);
    },
    /** Set the value of a field. @param {string} selector @param {any} value @param {any} [shown] */
    async set(selector, value, shown = {}) {
      const field = find(selector);
      if (typeof value === 'boolean') field.checked = value;
      else field.value = value;
      for (const type of ['input', 'change']) await hand.fire(field, type);
      hand.shows(shown);
    },
    // A pointer's event has all that tests need of the others but the key.
    /** Let an event happen. @param {any} target an element or the window @param {string} type @param {any} [init] */
    async fire(target, type, init) {
      const event = new window.PointerEvent(type, { bubbles: true, cancelable: true, ...init });
      const goesOn = find(target).dispatchEvent(Object.assign(event, init));
      await draw();
      return goesOn;
    },
    /** Type a text into a field, and submit its form. @param {string} selector @param {string} text @param {any} shown */
    async submit(selector, text, shown) {
      find(selector).value = text;
      await hand.fire(find(selector).closest('form'), 'submit');
      hand.shows(shown);
    },
    /** Let the server stop answering pings. */
    silence: (isSilent = true) => Object.assign(Socket, { isSilent }),
    said: () => hand.text('#status'),
    spoken: () => hand.text('#spoken'),
    /**
     * Compare the page: the text of a selector, the texts of all its elements, their number, or whether it is visible;
     * and the sentences `said` or `spoken`, the messages `sent`, the `acts`, the `screen` and the `focus`.
     * @param {Record<string, string | RegExp | any[] | number | boolean>} expected
     */
    shows(expected) {
      for (const [what, value] of Object.entries(expected)) {
        const own = { boolean: hand.isShown, number: (all) => hand.all(all).length }[typeof value];
        const usual = Array.isArray(value) ? hand.texts : hand.text;
        const is = what in hand ? hand[what]() : (own ?? usual)(what);
        if (value instanceof RegExp) assert.match(is, value, what);
        else assert.deepEqual(is, value, what);
      }
    },
  };
  return hand;
}
