// Elements of the page: making, changing and listening.

/** @typedef {string | number | boolean | null | undefined} Value */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Make an element. Text goes in through `textContent` and nodes only: names and other text of
 * other people can never become markup. Such a text is in a `bdi`, which no browser translates.
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
  if (tag === 'bdi') element.setAttribute('translate', 'no');
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

/** Set the text of an element if it differs: without a change nothing is laid out or announced. @param {Element} element @param {string} text */
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
  const properties = /** @type {Record<string, any>} */ (/** @type {unknown} */ (element));
  for (const [name, value] of Object.entries(values)) {
    const text = value === true ? '' : String(value ?? '');
    const isNone = value === false || value == null;
    if (name === 'text') write(element, text);
    else if (name.startsWith('--')) {
      const { style } = element;
      if (style.getPropertyValue(name) !== text) style.setProperty(name, text);
    } else if (PROPERTIES.has(name)) {
      if (properties[name] !== value) properties[name] = value;
    } else if (isNone) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Set the text of an element of which a part is only for screen readers; of a text without it, all is seen.
 * @param {Element} element
 * @param {string} text
 * @param {string} spoken the part; '' for none
 */
export function writeSpoken(element, text, spoken) {
  const at = spoken ? text.indexOf(spoken) : -1;
  if (at < 0) {
    write(element, text);
    return;
  }
  const part = h('span', { class: 'text-spoken', text: spoken });
  element.replaceChildren(text.slice(0, at), part, text.slice(at + spoken.length));
}

/** Start the animation of an attribute, again if it has run before. @param {HTMLElement} element @param {string} name of the attribute */
export function restartAnimation(element, name) {
  element.removeAttribute(name);
  void element.offsetWidth; // a layout without it, so that the animation starts again
  element.toggleAttribute(name, true);
}

/** The timers of `endLater`, by element and name. @type {WeakMap<Element, Map<string, number>>} */
const TIMERS = new WeakMap();

/**
 * End what an element shows, after a while; the time starts anew if it is shown again meanwhile.
 * @param {Element} element
 * @param {string} name a later call with the same name replaces this one
 * @param {number} ms
 * @param {() => void} end
 */
export function endLater(element, name, ms, end) {
  const timers = TIMERS.get(element) ?? new Map();
  TIMERS.set(element, timers);
  clearTimeout(timers.get(name));
  timers.set(name, setTimeout(end, ms));
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
 * @template T
 * @param {Element} parent has no other children
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [update] without it a child stays as it was made
 */
export function keyed(parent, items, keyOf, make, update) {
  const children = /** @type {HTMLElement[]} */ ([...parent.children]);
  const unwanted = new Map(children.map((child, place) => [child.dataset.key, { child, place }]));
  const wanted = items.map((item) => {
    const key = keyOf(item);
    const { child, place } = unwanted.get(key) ?? { child: make(item), place: -1 };
    unwanted.delete(key);
    set(child, { 'data-key': key });
    update?.(child, item);
    return { child, place };
  });
  for (const { child } of unwanted.values()) child.remove();
  const focused = wanted.findIndex(({ child }) => child.contains(document.activeElement));
  const places = wanted.map(({ place }) => place);
  const staying = longestIncreasing(places, focused);
  for (const [i, { child }] of wanted.entries()) {
    if (staying.has(i)) continue;
    const previous = wanted[i - 1]?.child;
    parent.insertBefore(child, previous ? previous.nextSibling : parent.firstChild);
  }
}

/**
 * Return a longest increasing subsequence of the old places of children, by indices. These children can
 * stay, so that the fewest are moved. Children that have changed sides with the pinned one are left out: then
 * it continues each subsequence of those before it, and is in every longest one.
 * @param {readonly number[]} places -1 for a child that is new
 * @param {number} pinned the index that must be in it, of a child that is not new; -1 for none
 */
function longestIncreasing(places, pinned) {
  const placeAt = (/** @type {number} */ i) => Number(places[i]);
  /** Return whether a child is on the same side of the pinned one as before. @param {number} i */
  function keepsItsSide(i) {
    const wasBefore = placeAt(i) < placeAt(pinned);
    const isBefore = i < pinned;
    return wasBefore === isBefore;
  }
  /** By length - 1, the index of the lowest place at which a subsequence ends. @type {number[]} */
  const ends = [];
  /** The index before each index in its subsequence, or -1. @type {number[]} */
  const previous = [];
  for (const [i, place] of places.entries()) {
    if (place < 0 || (pinned >= 0 && !keepsItsSide(i))) continue;
    const higher = ends.findIndex((end) => placeAt(end) > place);
    const at = higher < 0 ? ends.length : higher; // it continues the longest that ends below its place
    previous[i] = ends[at - 1] ?? -1;
    ends[at] = i;
  }
  /** @type {Set<number>} */
  const subsequence = new Set();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) subsequence.add(i);
  return subsequence;
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

/** Make a throttle, which runs a function at most once in an interval: requests within it together at its end. `runNow` does not wait, and `stop` drops what waits. @param {number} intervalMs @param {() => void} run */
export function makeThrottle(intervalMs, run) {
  let ranAt = -intervalMs; // local time, in ms
  let timer = 0;
  function stop() {
    clearTimeout(timer);
    timer = 0;
  }
  function runNow() {
    stop();
    ranAt = performance.now();
    run();
  }
  /** Run at once, or at the end of the interval if the last run was within it. */
  function request() {
    const wait = ranAt + intervalMs - performance.now();
    if (wait <= 0) runNow();
    else timer ||= setTimeout(runNow, wait); // a timer that fires a little early counts too
  }
  return { runNow, request, stop };
}
