// Why the page stays empty: a browser that is too old, or files that did not come. Older browsers than
// Safari 16.4, Firefox 115 and Chrome 111 show one sentence. They may know no modules, so this is a
// script in the language of 2009.
//
// Browsers keep the failure of a module as long as the page, so only a reload tries it again. It comes
// once all modules can be fetched: until then a reload could replace the page by the browser's own error.

/** The tries before the player is asked. */
var MAX_TRIES = 2;
var PAUSE_MS = 1500;
/** The time for which a file may take to come. */
var PATIENCE_MS = 8000;
/** The tries of earlier loads of this page. */
var tries = Number(Object(history.state).tries || 0);

var isTrying = false;

if (isOld()) document.documentElement.setAttribute('data-too-old', '');
else {
  writeTries(0);
  byId('main').addEventListener('error', begin);
  setTimeout(begin, PATIENCE_MS); // files of the first screen, or files that never come
  byId('not-started-again').addEventListener('click', reloadNow);
}

/** Return whether the browser lacks what the page needs and those versions have. */
function isOld() {
  // A literal would keep browsers that cannot read it from running the rest of the script.
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

/** Begin to try, once: each try that fails leads to the next. */
function begin() {
  if (!isTrying) tryAgain();
  isTrying = true;
}

/** Load the page again once its files come, or ask the player after the last try. */
function tryAgain() {
  if (isStarted()) return;
  if (tries >= MAX_TRIES) {
    byId('not-started').setAttribute('data-asks', '');
    return;
  }
  tries += 1;
  setTimeout(fetchAndReload, PAUSE_MS * tries);
}

/** Load the page again once all modules of its first screen can be fetched. */
function fetchAndReload() {
  var links = document.querySelectorAll('link[rel="modulepreload"]');
  var abort = new AbortController();
  setTimeout(abort.abort.bind(abort), PATIENCE_MS);
  Promise.all([].map.call(links, fetchOne)).then(reload, tryAgain);

  /** Fetch a module; rejected if it does not come. @param {HTMLLinkElement} link */
  function fetchOne(link) {
    return fetch(link.href, { signal: abort.signal }).then(check);
  }
}

/** Throw if a file has not come. @param {Response} answer */
function check(answer) {
  if (!answer.ok) throw new Error(answer.url);
}

/** Load the page again, which reads how often it was tried. */
function reload() {
  if (isStarted()) return;
  writeTries(tries);
  location.reload();
}

/** Load the page again: the player asks. @param {Event} event of a link, which works without this script, but drops the fragment */
function reloadNow(event) {
  event.preventDefault();
  location.reload();
}

/** Write the tries into the entry of the history, which outlasts a reload, beside what else is in its state. @param {number} n */
function writeTries(n) {
  var state = Object.assign({}, history.state, { tries: n });
  if (!n) delete state.tries;
  history.replaceState(Object.keys(state).length ? state : null, '');
}
