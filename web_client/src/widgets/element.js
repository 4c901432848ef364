// Make and change elements of the page, and listen to their events.

/** @typedef {string | number | boolean | null | undefined} Value */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Make an element. Strings become text nodes, so that players' texts can never become markup. Put players' texts into a
 * `bdi`: this function stops browsers from translating it.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag
 * @param {{[name: string]: Value | ((event: any) => void)}} [props] as for `set`. `onclick` and the like are listeners.
 *   A button submits its form only with `type: 'submit'`, and then `onsubmit` is called instead of loading a page
 * @param {...(Node | string | null | undefined | false)} children @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === 'button') element.setAttribute('type', 'button');
  if (tag === 'bdi') element.setAttribute('translate', 'no');
  for (const [name, value] of Object.entries(props)) {
    if (name === 'onsubmit') element.addEventListener('submit', (event) => event.preventDefault());
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    // An option without the attribute has its text as value, even if the property was set to ''.
    else if (name === 'value') element.setAttribute(name, String(value));
    else set(element, { [name]: value });
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * Make an SVG element.
 * @param {string} tag @param {{[name: string]: string | number}} [attributes]
 * @param {...(SVGElement | string | number)} children @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === 'number' ? String(child) : child);
  return element;
}

/** `set` writes these as properties, and everything else as attributes. @type {ReadonlySet<string>} */
const PROPERTIES = new Set(['hidden', 'disabled', 'value', 'checked', 'tabIndex']);

/**
 * Set values of an element. Those that it already has are not written: that would lay it out or announce it again.
 * @param {Element} element
 * @param {{[name: string]: Value}} values by name: `text`, custom properties (`--name`), the `PROPERTIES`, and for all
 *   other names attributes; true sets an empty attribute, and false, null and undefined remove it
 */
export function set(element, values) {
  const properties = /** @type {Record<string, any>} */ (/** @type {unknown} */ (element));
  for (const [name, value] of Object.entries(values)) {
    const text = value === true ? '' : String(value ?? '');
    const isNone = value === false || value == null;
    if (name === 'text') {
      if (element.textContent !== text) element.textContent = text;
    } else if (name.startsWith('--')) {
      const { style } = /** @type {HTMLElement} */ (element);
      if (style.getPropertyValue(name) !== text) style.setProperty(name, text);
    } else if (PROPERTIES.has(name)) {
      if (properties[name] !== value) properties[name] = value;
    } else if (isNone) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Set the text of an element, and hide one part of it from sight.
 * @param {Element} element @param {string} text
 * @param {string} spoken the part that only screen readers read out; if the text does not contain it, nothing is hidden
 */
export function writeSpoken(element, text, spoken) {
  const at = spoken ? text.indexOf(spoken) : -1;
  if (at < 0) return set(element, { text });
  const part = h('span', { class: 'text-spoken', text: spoken });
  element.replaceChildren(text.slice(0, at), part, text.slice(at + spoken.length));
}

/** Set a text of items with ` · ` between them. The style draws each dot as the background of a space, so that no line starts or ends with one. @param {Element} element @param {string} text */
export function writeItems(element, text) {
  if (element.textContent === text) return;
  // The group captures the dots, so they are at the odd indexes. Only screen readers read these dots.
  const nodes = text.split(/(\s·) /).map((each, i) => {
    if (i % 2 === 0) return h('span', { text: each });
    return h('i', { class: 'text-dot' }, h('span', { class: 'text-spoken', text: each }), ' ');
  });
  element.replaceChildren(...nodes);
}

/** Make a table's head. @param {readonly string[]} headings */
export const tableHead = (headings) =>
  h('thead', {}, h('tr', {}, ...headings.map((text) => h('th', { scope: 'col', text }))));

/** Make a table row; its first cell is a heading. @param {readonly (string | number | null | undefined)[]} texts */
export const tableRow = ([heading, ...others]) =>
  h('tr', {}, h('th', { scope: 'row', text: heading }), ...others.map((text) => h('td', { text })));

/** Start the animation that an attribute triggers, even if it has run before. @param {HTMLElement} element @param {string} name of the attribute */
export function restartAnimation(element, name) {
  element.removeAttribute(name);
  void getComputedStyle(element).animationName; // applies the styles without it, so that the animation starts again
  element.toggleAttribute(name, true);
}

/** The timers of `endLater`, by element and name. @type {WeakMap<Element, Map<string, number>>} */
const TIMERS = new WeakMap();

/**
 * Call `end` after `ms`, to end a state of an element. A later call for the same element and name replaces this one.
 * @param {Element} element @param {string} name of the state @param {number} ms @param {() => void} end
 */
export function endLater(element, name, ms, end) {
  const timers = TIMERS.get(element) ?? new Map();
  TIMERS.set(element, timers);
  clearTimeout(timers.get(name));
  timers.set(name, setTimeout(end, ms));
}

/**
 * Add a listener.
 * @param {EventTarget} target @param {string} type @param {(event: any) => void} listener
 * @param {AddEventListenerOptions} [options] @returns {() => void} removes the listener
 */
export function listen(target, type, listener, options) {
  target.addEventListener(type, listener, options);
  return () => target.removeEventListener(type, listener, options);
}

/**
 * Make, update and remove children, so that each item has one, in the order of the items. The child with the focus
 * is never moved, since it would lose the focus: the others move around it.
 * @template T @param {Element} parent has no other children @param {readonly T[]} items
 * @param {(item: T) => string} keyOf @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [update] by default a child never changes
 */
export function keyed(parent, items, keyOf, make, update) {
  const children = /** @type {HTMLElement[]} */ ([...parent.children]);
  const unwanted = new Map(children.map((child) => [child.dataset.key, child]));
  const wanted = items.map((item) => {
    const key = keyOf(item);
    const child = unwanted.get(key) ?? make(item);
    unwanted.delete(key);
    set(child, { 'data-key': key });
    update?.(child, item);
    return child;
  });
  for (const child of unwanted.values()) child.remove();
  const focused = wanted.findIndex((child) => child.contains(document.activeElement));
  let next = wanted[focused];
  for (const child of wanted.slice(0, Math.max(0, focused)).toReversed()) {
    if (child.nextSibling !== next) next?.before(child);
    next = child;
  }
  /** The child that stands where the next wanted one belongs. */
  let there = focused < 0 ? parent.firstChild : wanted[focused]?.nextSibling;
  for (const child of wanted.slice(focused + 1)) {
    if (there && child === there.nextSibling) {
      parent.removeChild(there); // only this one is in the way; it is inserted again when its turn comes
      there = child;
    }
    if (child === there) there = child.nextSibling;
    else parent.insertBefore(child, there ?? null);
  }
}

/** The promises of the style sheets, by name. @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Load a style sheet that the front page does not need. It is requested only once, or again after a failure.
 * @param {string} name @returns {Promise<unknown>} resolved once the sheet applies
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

/** Return a function that calls all these functions, such as unbinders. @param {...() => void} calls */
export const callAll =
  (...calls) =>
  () => {
    for (const call of calls) call();
  };

/** Run a function repeatedly. @param {number} intervalMs @param {() => void} run @returns {() => void} stops it */
export function every(intervalMs, run) {
  const timer = setInterval(run, intervalMs);
  return () => clearInterval(timer);
}

/**
 * Make a throttle, which runs a function at most once per interval. The first `request` runs it at once, and all
 * further ones within the interval together run it at its end. `runNow` does not wait; `stop` cancels a waiting run.
 * @param {number} intervalMs @param {() => void} run
 */
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
  function request() {
    const wait = ranAt + intervalMs - performance.now();
    if (wait <= 0) runNow();
    else timer ||= setTimeout(runNow, wait); // runs even if the timer fires a little early
  }
  return { runNow, request, stop };
}
