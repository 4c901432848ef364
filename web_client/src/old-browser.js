// Why the page stays empty: the browser is too old, or files are missing. Browsers older than Safari 16.4, Firefox 115
// and Chrome 111 show one sentence. They may know no modules, so this is a script in the language of 2009.
//
// A browser remembers the failure of a module as long as the page exists, so only a reload tries it again. The page
// reloads once all modules can be fetched: before that, the browser's own error could replace it.

/** The page asks the player after this many tries. */
var MAX_TRIES = 2;
var PAUSE_MS = 1500;
/** A file may take this long. */
var PATIENCE_MS = 8000;
/** The tries before this load of the page. */
var tries = Number(Object(history.state).tries || 0);

var isTrying = false;

if (isOld()) document.documentElement.setAttribute('data-too-old', '');
else {
  writeTries(0);
  byId('main').addEventListener('error', start);
  setTimeout(start, PATIENCE_MS); // files of the first screen are late, or never arrive
  byId('not-started-again').addEventListener('click', reloadNow);
}

/** Return whether the browser lacks a feature of those versions. */
function isOld() {
  // As a literal it would stop the whole script in browsers that cannot read it.
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

/** Reload the page once its files can be fetched, or ask the player after the last try. */
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

/** Reload the page, and store the number of tries for it. */
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

/** Write the tries into the state of the history's entry, which outlives a reload. @param {number} n */
function writeTries(n) {
  var state = Object.assign({}, history.state, { tries: n });
  if (!n) delete state.tries;
  history.replaceState(Object.keys(state).length ? state : null, '');
}
