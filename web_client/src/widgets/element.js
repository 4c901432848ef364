// Elements of the page: making, changing and listening.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Make an element. Text goes in through `textContent` and nodes only: names and other text of
 * other people can never become markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {{[name: string]: string | number | boolean | null | undefined | ((event: any) => void)}} [props]
 *   `text` is the text; `onclick` and the like are listeners; true sets an attribute, false omits it;
 *   a button submits its form only as `type: 'submit'`
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  if (tag === 'button') element.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = String(value ?? '');
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
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

/**
 * Set the text of an element if it differs: without a change nothing is laid out or announced.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Set the text of an element of which a part is only for screen readers.
 * @param {Element} element
 * @param {string} text
 * @param {string} spoken the part, or ''
 */
export function writeSpoken(element, text, spoken) {
  const at = spoken ? text.indexOf(spoken) : -1;
  if (at < 0) {
    write(element, text);
    return;
  }
  const tail = text.slice(at + spoken.length);
  element.replaceChildren(
    text.slice(0, at),
    h('span', { class: 'text-spoken', text: spoken }),
    tail,
  );
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
 * Make, update and remove children, so that there is one for each key, in the order of the items.
 *
 * @template T
 * @param {Element} parent
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} update
 */
export function keyed(parent, items, keyOf, make, update) {
  /** @type {Map<string, HTMLElement>} */
  const old = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined)
      old.set(child.dataset.key, child);
  }
  let next = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let element = old.get(key);
    if (element) old.delete(key);
    else {
      element = make(item);
      element.dataset.key = key;
    }
    update(element, item);
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
  for (const element of old.values()) element.remove();
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
  const earlier = sheets.get(name);
  if (earlier) return earlier;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `/css/${name}.css`;
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      sheets.delete(name);
      link.remove();
      reject(new Error(name));
    };
  });
  sheets.set(name, loading);
  document.head.append(link);
  return loading;
}
