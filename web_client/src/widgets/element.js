// Elements of the page: making, changing and listening.

/** @typedef {string | number | boolean | null | undefined} Value */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Make an element. Text goes in through `textContent` and nodes only: names and other text of
 * other people can never become markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {{[name: string]: Value | ((event: any) => void)}} [props] as for `set`; `onclick` and the like are
 *   listeners; a button submits its form only as `type: 'submit'`, and `onsubmit` acts in its place
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === 'button') element.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(props)) {
    if (name === 'onsubmit') element.addEventListener('submit', (event) => event.preventDefault());
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    // The value of an option without the attribute is its text, also if it was set to ''.
    else if (name === 'value') element.setAttribute(name, String(value));
    else set(element, { [name]: value });
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {{[name: string]: string | number}} [attributes]
 * @param {...(SVGElement | string | number)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === 'number' ? String(child) : child);
  return element;
}

/** What `set` writes as a property; everything else is an attribute. @type {ReadonlySet<string>} */
const PROPERTIES = new Set(['hidden', 'disabled', 'value', 'checked', 'tabIndex']);

/**
 * Set the text of an element if it differs: without a change nothing is laid out or announced.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set what differs of an element, and write nothing else.
 * @param {HTMLElement} element
 * @param {{[name: string]: Value}} values `text` is the text, `--name` a custom property, and `hidden` and
 *   the like are properties; of an attribute true sets an empty one, and false, null and undefined remove it
 */
export function set(element, values) {
  const is = /** @type {Record<string, any>} */ (/** @type {unknown} */ (element));
  for (const [name, value] of Object.entries(values)) {
    const text = value === true ? '' : String(value ?? '');
    const isNone = value === false || value == null;
    if (name === 'text') write(element, text);
    else if (name.startsWith('--')) {
      const { style } = element;
      if (style.getPropertyValue(name) !== text) style.setProperty(name, text);
    } else if (PROPERTIES.has(name)) {
      if (is[name] !== value) is[name] = value;
    } else if (isNone) element.removeAttribute(name);
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Set the text of an element of which a part is only for screen readers.
 * @param {Element} element
 * @param {string} text
 * @param {string} spoken the part, or ''
 */
export function writeSpoken(element, text, spoken) {
  const at = spoken ? text.indexOf(spoken) : -1;
  const [before, after] = [text.slice(0, at), text.slice(at + spoken.length)];
  if (at < 0) write(element, text);
  else element.replaceChildren(before, h('span', { class: 'text-spoken', text: spoken }), after);
}

/** Start the animation of an attribute, again if it has run before. @param {HTMLElement} element @param {string} name of the attribute */
export function restartAnimation(element, name) {
  element.removeAttribute(name);
  void element.offsetWidth; // a layout without it, so that the animation starts again
  element.toggleAttribute(name, true);
}

/**
 * Add a listener.
 * @param {EventTarget} target
 * @param {string} type
 * @param {(event: any) => void} listener
 * @param {AddEventListenerOptions} [options]
 * @returns {() => void} the unbinder
 */
export function listen(target, type, listener, options) {
  target.addEventListener(type, listener, options);
  return () => target.removeEventListener(type, listener, options);
}

/**
 * Make, update and remove children, so that there is one for each key, in the order of the items. The
 * fewest are moved, and never the one with the focus, which would lose it.
 *
 * @template T
 * @param {Element} parent has no other children
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} update
 */
export function keyed(parent, items, keyOf, make, update) {
  const children = /** @type {HTMLElement[]} */ ([...parent.children]);
  const old = new Map(children.map((child, at) => [child.dataset.key, { child, at }]));
  const places = items.map((item) => {
    const key = keyOf(item);
    const { child = make(item), at = -1 } = old.get(key) ?? {};
    old.delete(key);
    if (at < 0) child.dataset.key = key;
    update(child, item);
    return { child, at };
  });
  for (const { child } of old.values()) child.remove();
  const { activeElement } = document;
  const focused = places.findIndex(({ child, at }) => at >= 0 && child.contains(activeElement));
  const all = places.map(({ at }) => at);
  const staying = longestRising(all, focused);
  for (const [i, { child }] of places.entries()) {
    const before = places[i - 1]?.child;
    if (!staying.has(i))
      parent.insertBefore(child, before ? before.nextSibling : parent.firstChild);
  }
}

/**
 * Return the indices of a longest rising part of old places, which has the pinned one in it.
 * @param {readonly number[]} places -1 for what is new
 * @param {number} pinned the index of a place that must be in it, or -1
 */
function longestRising(places, pinned) {
  const fits = (/** @type {number} */ i) =>
    pinned < 0 || i === pinned || i < pinned === Number(places[i]) < Number(places[pinned]);
  /** The index of the lowest end of a part of each length. @type {number[]} */
  const ends = [];
  /** @type {number[]} */
  const before = [];
  for (const [i, place] of places.entries()) {
    if (place < 0 || !fits(i)) continue;
    let length = ends.findIndex((end) => Number(places[end]) > place);
    if (length < 0) length = ends.length;
    before[i] = ends[length - 1] ?? -1;
    ends[length] = i;
  }
  /** @type {Set<number>} */
  const part = new Set();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) part.add(i);
  return part;
}

/** The loading of each style sheet, by its name. @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Load a style sheet that the front page does not need. It is requested once, and again only by the
 * next call after a failure.
 * @param {string} name
 * @returns {Promise<unknown>} resolved when the sheet applies
 */
export function loadSheet(name) {
  const loading =
    sheets.get(name) ??
    new Promise((onload, reject) => {
      const link = h('link', { rel: 'stylesheet', href: `/css/${name}.css`, onload });
      link.onerror = () => {
        sheets.delete(name);
        link.remove();
        reject(new Error(name));
      };
      document.head.append(link);
    });
  sheets.set(name, loading);
  return loading;
}

/** Make a throttle, which draws at most once in an interval: changes within it together at its end. @param {number} intervalMs @param {() => void} draw */
export function makeThrottle(intervalMs, draw) {
  let drawnAt = -intervalMs;
  let timer = 0;
  function stop() {
    clearTimeout(timer);
    timer = 0;
  }
  function drawNow() {
    stop();
    drawnAt = performance.now();
    draw();
  }
  /** Draw at once, or at the end of the interval if the last drawing was within it. */
  function request() {
    const wait = drawnAt + intervalMs - performance.now();
    if (wait <= 0) drawNow();
    else timer ||= setTimeout(drawNow, wait); // a timer that fires a little early draws too
  }
  return { drawNow, request, stop };
}
