// A load is a part of the page: code, strings and style sheets that are fetched together. `main.js` defines the loads.
//
// A load that fails is requested once more. After that a notice lets the player try again, and the page tries again
// when the network is back. Meanwhile the rest of the page works.

import { CloseCode } from '../contract/protocol.js';
import { parse } from '../contract/text.js';
import { fetchStrings, strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';
import { callAll, every, h, listen, loadSheet, set } from '../widgets/element.js';

/** @import {Catalogue, Days} from '../contract/messages.d.ts' @import {Sentences} from '../strings/language.js' */

const PAUSE_MS = 1_000; // before a load is requested once more
const NOT_FOUND = 404;

/** A function for each failed load, to fetch it again. @type {Set<() => void>} */
const failed = new Set();

/** The games, each with its settings, and the presets. Empty until a load `withCatalogue` has arrived. @type {Catalogue} */
export const catalogue = { games: [], presets: [] };

/** Return the code of a load once it and the catalogue have arrived. @template T @param {Promise<T>} code */
export async function withCatalogue(code) {
  const [loaded] = await Promise.all([code, fetchCatalogue()]); // each of them may fail
  return loaded;
}

/** Fetch the catalogue of games and presets, unless it has arrived. */
async function fetchCatalogue() {
  if (catalogue.games.length > 0) return;
  const answer = await fetch('/api/catalogue');
  if (!answer.ok) throw new Error(`The catalogue: ${answer.status}`);
  Object.assign(catalogue, await answer.json());
}

/**
 * Fetch the code of a load with its strings and style sheets. If that fails, try once more after a pause.
 * @template T
 * @param {() => Promise<T>} importCode
 * @param {readonly Sentences[]} names
 */
async function fetchWithRetry(importCode, names) {
  async function fetchAll() {
    const parts = [importCode(), fetchStrings(...names), ...names.map(loadSheet)];
    const [code] = await /** @type {Promise<[T]>} */ (Promise.all(parts));
    return code;
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return fetchAll().catch(() => pause().then(fetchAll));
}

/**
 * Make a load, which is fetched when it is first used, or earlier by `fetchAhead`.
 * @template T
 * @param {() => Promise<T>} importCode
 * @param {readonly Sentences[]} names of its string files, which are also the names of its style sheets
 */
export function makeLoad(importCode, names) {
  let isRequested = false; // stays true after a failure: `fetchAhead` tries only once
  /** @type {Promise<T> | null} */
  let loading = null;
  /** What to call once the load has arrived, by the names that `use` was given. @type {Map<string, (code: T) => void>} */
  const uses = new Map();

  /** Fetch the load. Calls made while it is being fetched share the request. */
  async function fetchShared() {
    isRequested = true;
    loading ??= fetchWithRetry(importCode, names).finally(() => {
      loading = null;
    });
    load.code = await loading;
  }

  /** Fetch the load, and pass it to the waiting uses. If that fails, offer another try, or reload an old page. */
  async function serve() {
    try {
      await fetchShared();
      for (const [name, use] of uses) {
        uses.delete(name); // before the call, which may add the use again
        use(/** @type {T} */ (load.code));
      }
    } catch (error) {
      if (uses.size === 0) return; // the next use fetches it again
      failed.add(serve); // a further use only waits, until the player tries again
      if (isOfOtherVersion(error)) reloadAfterNotice(CloseCode.VERSION);
      else drawNotice();
    }
  }

  const load = {
    /** The code; null until it has arrived. @type {T | null} */
    code: null,
    /** Fetch the load because it will soon be needed. A failure is not reported, and the first use tries again. */
    fetchAhead() {
      if (!isRequested) fetchShared().catch(() => {});
    },
    /** Call `use` once the load has arrived. @param {string} name a later use with this name replaces a waiting one @param {(code: T) => void} use */
    use(name, use) {
      if (load.code) return use(load.code);
      uses.set(name, use);
      if (!failed.has(serve)) serve(); // after a failure the player decides when to try again
    },
    /** Drop a waiting use. If it was the last one, remove the notice that the load has failed. @param {string} name of the use */
    drop(name) {
      uses.delete(name);
      if (uses.size === 0 && failed.delete(serve)) drawNotice();
    },
  };
  return load;
}

/** Fetch all failed loads again, when the player asks for it or the network is back. */
export function tryAgain() {
  const all = [...failed];
  forgetFailed();
  for (const serve of all) serve(); // one that fails again is added again
}

/**
 * Return whether the server has another version of the page: a file was not found, or one lacks an export that another
 * one imports, which is a `SyntaxError`.
 * @param {unknown} error of a load
 */
function isOfOtherVersion(error) {
  const files = /** @type {PerformanceResourceTiming[]} */ (
    performance.getEntriesByType('resource')
  );
  const isGone = files.some(
    ({ name, responseStatus }) => responseStatus === NOT_FOUND && /\/(src|css)\//.test(name),
  );
  return isGone || error instanceof SyntaxError;
}

/** Say why this page cannot continue, and reload it once the dialog is closed. @param {number} code the close code that gives the reason */
export async function reloadAfterNotice(code) {
  await ask({ ...strings.ASK.closed, text: strings.closing(code) });
  location.reload();
}

/** Forget the failures and remove the notice. The next use of a failed load fetches it again. */
function forgetFailed() {
  failed.clear();
  drawNotice();
}

/** Show the notice as long as there are failed loads. */
function drawNotice() {
  const notice = document.getElementById('not-loaded');
  if (failed.size === 0) {
    // If a button of the notice has the focus, give it to the board.
    if (notice?.contains(document.activeElement)) document.getElementById('board')?.focus();
    notice?.remove();
    return;
  }
  if (notice) return;
  const words = strings.BUTTONS;
  const again = h('button', { id: 'not-loaded-again', text: words.again, onclick: tryAgain });
  const close = h('button', { id: 'not-loaded-close', text: '×', onclick: forgetFailed });
  set(close, { 'data-kind': 'quiet', 'aria-label': words.close });
  for (const button of [again, close]) set(button, { 'data-size': 'small' });
  const panel = h('div', { class: 'pane not-loaded', id: 'not-loaded', role: 'alert' });
  panel.append(h('span', { text: strings.NOT_LOADED }), again, close);
  document.body.append(panel);
}

// The JSON documents that pages show, which are requested again after a failure.

/** The pause after a failure. It doubles with each further one, up to the longest pause. */
const AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 30_000;
/** Skip a request if the last was this recent: often the network comes back just when the page is shown again. */
const FRESH_MS = 1_000;
const PATIENCE_MS = 60_000; // an answer that takes longer will never come

/** Fetch a JSON document. The promise is rejected with the status if the request fails. @param {string} path @returns {Promise<any>} */
export async function fetchDocument(path) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(path, { cache: 'no-cache', signal });
  if (!answer.ok) throw new Error(String(answer.status));
  return parse(await answer.text());
}

/**
 * Fetch a document repeatedly as long as a page shows it, and after failures until it works. A hidden page requests
 * nothing. When it is shown again, or the network is back, it does not wait for the end of a pause.
 * @template T
 * @param {() => Promise<T | null | undefined>} fetchIt may be rejected like `fetchDocument`
 * @param {(found: T | null | undefined) => number} show called with each answer: null if there is no such document,
 *   undefined if the request failed. It returns the ms until the next request, or 0 if nothing can change any more.
 * @param {number} [firstMs] the pause before the first request, if the page already has an answer
 */
export function keepFetching(fetchIt, show, firstMs = 0) {
  let timer = 0;
  let failures = 0;
  let pauseMs = firstMs || AGAIN_MS; // 0 once nothing can change
  let latest = 0; // the number of the latest request: late answers to earlier ones are dropped
  let askedAt = performance.now();

  /** Fetch the document now, and show the answer unless there is a later request by then. */
  async function now() {
    clearTimeout(timer);
    latest += 1;
    askedAt = performance.now();
    const own = latest;
    const found = await fetchIt().catch(({ message }) => (message === '404' ? null : undefined));
    if (own !== latest) return;
    failures = found === undefined ? failures + 1 : 0;
    pauseMs = show(found);
    if (own !== latest) return; // `show` has made another request, or has left the page
    if (failures > 0) pauseMs = Math.min(LONGEST_AGAIN_MS, AGAIN_MS * 2 ** (failures - 1));
    if (pauseMs > 0) timer = setTimeout(poll, pauseMs);
  }
  function poll() {
    if (pauseMs > 0 && document.visibilityState !== 'hidden') now();
  }
  /** Fetch the document when the page or the network is back. */
  function wake() {
    if (failures > 0 || performance.now() - askedAt > FRESH_MS) poll();
  }
  const unlisten = callAll(
    listen(window, 'online', wake),
    listen(window, 'pageshow', wake),
    listen(document, 'visibilitychange', wake),
  );
  if (firstMs > 0) timer = setTimeout(poll, firstMs);
  else now();
  return {
    now,
    stop() {
      latest += 1;
      clearTimeout(timer);
      unlisten();
    },
  };
}

/** Return how many UTC midnights have passed since a time. @param {number} ms */
export const daysSince = (ms) => Math.floor(Date.now() / DAY_MS) - Math.floor(ms / DAY_MS);

/** Return words about yesterday's best game, or [] if nobody won. @param {Days} days @param {string} game @returns {Promise<(string | Node)[]>} */
export async function bestOfYesterday({ day, past: [last = ''] }, game) {
  if (Date.parse(day) - Date.parse(last) !== DAY_MS) return []; // there was no race yesterday
  const board = await fetchDocument(`/api/days/${last}/${game}?rows=1`).catch(() => null);
  const { name, ms, won } = board?.rows[0] ?? {};
  if (!won || ms == null) return [];
  return [strings.LANDING.best, h('b', {}, h('bdi', { text: name }), ` ${strings.clock(ms)}`)];
}

const TICK_MS = 10_000; // how often the time left of the day is updated
export const DAY_MS = 86_400_000;
/** How long to wait after each answer in a row that lacks games: a new server may still be choosing their deals. */
const LACKING_MS = [2_000, 4_000, 8_000, 16_000];
const GAMES_OF_DAY = 3;

/**
 * Follow today's race: fetch the day until it has all its games, and the next day once it is over.
 * @param {(days: Days | null, leftMs: number) => void} show is called every few seconds with the day (null before the
 *   first answer) and the time left of it (0 if it is over and the next one has not arrived)
 */
export function followDays(show) {
  /** @type {Days | null} */
  let days = null;
  let aheadMs = 0; // how far the server's clock is ahead of this one
  let incompleteAnswers = 0; // how many in a row have lacked a game
  let wasOn = false; // whether the day was still on at the last tick
  const msLeft = () => Math.max(0, (days?.ends ?? 0) - Date.now() - aheadMs);

  /** Show the time left, and fetch the next day once it has started. (A laptop may have slept past midnight.) */
  function tick() {
    const isOn = msLeft() > 0;
    show(days, msLeft());
    if (wasOn && !isOn) fetching.now();
    wasOn = isOn;
  }

  /** Show an answer, and return the ms until the next request. @param {Days | null | undefined} found */
  function take(found) {
    if (found) {
      days = found;
      aheadMs = found.now - Date.now();
      incompleteAnswers = found.games.length < GAMES_OF_DAY ? incompleteAnswers + 1 : 0;
    }
    tick();
    // Before this wait ends, `tick` usually notices that the day is over, and fetches. Each page ticks at its own times,
    // so they don't all ask at midnight.
    return LACKING_MS[incompleteAnswers - 1] ?? msLeft() + TICK_MS;
  }

  const fetching = keepFetching(() => fetchDocument('/api/days'), take);
  return { tick, stop: callAll(every(TICK_MS, tick), fetching.stop) };
}
