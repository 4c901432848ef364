// The keys of 1987 between two games: on the results and in the room. This module is loaded for
// players who have chosen these keys.

import { preference } from '../browser/storage.js';
import { commandOf, keyName, keyOf, TYPING } from '../play/key-bindings.js';
import {
  choosableGames,
  isOnlyPlayer,
  playOnMessages,
  repeatableGames,
} from '../state/next-game.js';
import { amHost, screenOf } from '../state/state.js';
import { h, listen, write } from '../widgets/element.js';
import { changeColours, chooseLevel, loadClassic, playAtLevel, quit } from './classic.js';
import { closePrompt, openPrompt } from './prompt.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Manual} from './manual.js'
 * @typedef {ReturnType<typeof bindBetweenGames>} BetweenGames
 * @typedef {object} Keys
 * @property {App} app
 * @property {Manual} words
 * @property {string} language of the words
 * @property {ReturnType<typeof screenOf>} screen the shown one
 * @property {HTMLElement} line the line that names the keys
 */

/** Load the sentences and styles of the keys of 1987; return the function that binds them. @param {App} app */
export async function loadBetweenGames(app) {
  const words = await loadClassic();
  return () => bindBetweenGames(app, words);
}

/** Bind the keys between two games, and the line that names them. @param {App} app @param {Manual} words */
function bindBetweenGames(app, words) {
  /** @type {Keys} */
  const keys = {
    app,
    words,
    language: document.documentElement.lang,
    screen: screenOf(app.state()),
    line: h('p', { class: 'text-small', id: 'press' }),
  };
  listen(document, 'keydown', (event) => {
    if (isBetweenGames(app, event) && press(keys, event)) event.preventDefault();
  });
  return { update: (/** @type {State} */ state) => update(keys, state) };
}

/** Return whether a key is pressed between two games, and not for a field or a dialog. @param {App} app @param {KeyboardEvent} event */
function isBetweenGames(app, event) {
  const isOnPage = ['room', 'results'].includes(screenOf(app.state()));
  if (!isOnPage || preference('keys') !== 'classic' || event.defaultPrevented) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  const isTyping = target instanceof Element && target.closest(TYPING);
  return !isTyping && !document.querySelector('dialog[open]');
}

/** Return whether the rules of the room have exceptions. @param {State} state */
const hasLevels = ({ room }) => (room?.settings.exceptions ?? 'off') !== 'off';

/** Return the digit of a game on the card; 0 is the tenth. @param {number} game */
const digitOf = (game) => String(game % 10);

/** Perform the command of a key. @param {Keys} keys @param {KeyboardEvent} event @returns {boolean} whether it has one */
function press(keys, event) {
  const { app, words } = keys;
  const name = keyName(event).replace(/^(Num |Shift\+)/, '');
  if (keyOf(event).length === 1 && !preference('letterKeys')) return false;
  if (/^\d$/.test(name) && pressDigit(keys, name)) return true;
  const state = app.state();
  const isOver = state.room?.state === 'FINISHED';
  if (name === 'G' && isOver && amHost(state)) {
    askGame(keys);
    return true;
  }
  switch (commandOf(event, 'classic', true)?.command) {
    case 'level':
      chooseLevel(app, words);
      return true;
    case 'restart':
      playOn(keys);
      return true;
    case 'colours':
      changeColours(words);
      return true;
    case 'quit':
      if (isOver && isOnlyPlayer(state)) app.leave();
      else quit(app, words);
      return true;
    default:
      return false;
  }
}

/** Choose a level by its digit where there are levels, or else a game. @param {Keys} keys @param {string} digit */
function pressDigit({ app, words }, digit) {
  const state = app.state();
  if (!amHost(state)) return false;
  const isOver = state.room?.state === 'FINISHED';
  if (isOver && hasLevels(state) && (digit === '1' || digit === '2')) {
    playAtLevel(app, words, digit === '1' ? 'easy' : 'hard');
    return true;
  }
  if ((state.room?.settings.rounds ?? 1) < 2) return false;
  // The server gives the reason if the game cannot be chosen.
  app.send({ type: 'choose', game: digit === '0' ? 10 : Number(digit) });
  return true;
}

/** Ask which game is next. @param {Keys} keys */
function askGame({ app, words }) {
  const state = app.state();
  const games = [...choosableGames(state), ...repeatableGames(state)].sort((a, b) => a - b);
  if (games.length < 1) return;
  openPrompt({
    title: words.WHICH,
    answers: games.map((game) => ({
      keys: game <= 10 ? [digitOf(game)] : [],
      text: words.game(game),
      act: () => app.send({ type: 'choose', game }),
    })),
    back: words.BACK,
  });
}

/** Play on by the same rules; for a player alone the game begins at once. @param {Keys} keys */
function playOn({ app, words }) {
  const state = app.state();
  if (!amHost(state)) app.announce(words.NEW_HOST);
  else if (state.room?.state === 'FINISHED')
    for (const message of playOnMessages(state)) app.send(message);
  else if (isOnlyPlayer(state)) app.send({ type: 'start' });
  else app.announce(words.NEW_WAIT);
}

/** Show the line that names the keys, to a host who uses them. @param {Keys} keys @param {State} state */
async function update(keys, state) {
  const { lang } = document.documentElement;
  if (lang !== keys.language) {
    keys.language = lang;
    keys.words = await loadClassic();
  }
  const { words, line } = keys;
  const name = screenOf(state);
  if (name !== keys.screen) closePrompt();
  keys.screen = name;
  const place = document.querySelector(name === 'results' ? '.results-steps' : '#room-players');
  const usesKeys = amHost(state) && preference('keys') === 'classic';
  if (!place || !usesKeys || !(name === 'results' || name === 'room')) {
    line.remove();
    return;
  }
  const rounds = state.room?.settings.rounds ?? 1;
  const withLevels = hasLevels(state);
  write(
    line,
    name === 'results'
      ? words.afterGame(
          withLevels,
          rounds > 1 && [...choosableGames(state), ...repeatableGames(state)].length > 0,
        )
      : words.beforeGame(withLevels, Math.min(rounds, 10)),
  );
  if (line.parentNode !== place) place.append(line);
}
