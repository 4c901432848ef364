// Help if the page stays empty, because the browser is too old or files are missing. Browsers older than Safari 16.4,
// Firefox 115 and Chrome 111 show a sentence. They may know no modules, so this is a script in the language of 2009.
//
// A browser remembers a module that failed as long as the page exists, so only a reload tries it again. The page
// reloads once all modules can be fetched: before that, the browser might show its own error instead of the page.

var MAX_TRIES = 2; // after this many tries, the page lets the player reload it
var PAUSE_MS = 1500;
var PATIENCE_MS = 8000; // a file may take this long
/** How many tries there were, including those before the page was reloaded. */
var tries = Number(Object(history.state).tries || 0);

var isTrying = false;

if (isOld()) document.documentElement.setAttribute('data-too-old', '');
else {
  writeTries(0);
  byId('main').addEventListener('error', start);
  setTimeout(start, PATIENCE_MS); // for files of the first screen that are late or never arrive
  byId('not-started-again').addEventListener('click', reloadNow);
}

/** Return whether the browser lacks one of the newer features that the page needs. */
function isOld() {
  // In browsers that cannot read it, a literal would stop the whole script.
  var lookBehind = '(?<=a)b';
  try {
    return !(
      'toSorted' in [] &&
      CSS.supports('color', 'color-mix(in srgb, red, red)') &&
      new RegExp(lookBehind)
    );
  } catch (_) {
    return true;
  }
}

/** Return an element of the page. @param {string} id @returns {HTMLElement} */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Return whether a screen is shown. */
function isStarted() {
  return byId('screen').firstChild !== null;
}

/** Start the first try, unless it has started already. Each failed try starts the next. */
function start() {
  if (!isTrying) tryAgain();
  isTrying = true;
}

/** Reload the page once its files can be fetched. After the last try, let the player reload it. */
function tryAgain() {
  if (isStarted()) return;
  if (tries >= MAX_TRIES) {
    byId('not-started').setAttribute('data-asks', '');
    return;
  }
  tries += 1;
  setTimeout(fetchAndReload, PAUSE_MS * tries);
}

/** Reload the page once all modules of its first screen can be fetched. */
function fetchAndReload() {
  var links = document.querySelectorAll('link[rel="modulepreload"]');
  var abort = new AbortController();
  setTimeout(abort.abort.bind(abort), PATIENCE_MS);
  Promise.all([].map.call(links, fetchOne)).then(reload, tryAgain);

  /** Fetch a module. The promise is rejected if that fails. @param {HTMLLinkElement} link */
  function fetchOne(link) {
    return fetch(link.href, { signal: abort.signal }).then(check);
  }
}

/** Throw if a file is missing. @param {Response} answer */
function check(answer) {
  if (!answer.ok) throw new Error(answer.url);
}

/** Reload the page, and keep the number of tries for it. */
function reload() {
  if (isStarted()) return;
  writeTries(tries);
  location.reload();
}

/** Reload the page at the player's request. @param {Event} event of a link: without this script it would drop the fragment */
function reloadNow(event) {
  event.preventDefault();
  location.reload();
}

/** Store the number of tries in the entry of the browser's history, which survives a reload. @param {number} n */
function writeTries(n) {
  var state = Object.assign({}, history.state, { tries: n });
  if (!n) delete state.tries;
  history.replaceState(Object.keys(state).length ? state : null, '');
}
