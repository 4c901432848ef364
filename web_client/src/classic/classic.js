// What the keys of 1987 do, in a race and between two games (`seeds/` 3, III). This module is loaded for
// players who have chosen these keys.

import { CHOICES, preference, preferNext } from '../browser/storage.js';
import { commandOf, isChord, isTyping, keyOf, plainName } from '../play/commands.js';
import { deal, grab, removeSuit, tableOf } from '../play/player.js';
import { gameInfo, whenLoaded } from '../room/settings.js';
import {
  choosableGames,
  isOnlyPlayer,
  newGameMessages,
  playOnMessages,
  repeatableGames,
} from '../state/next-game.js';
import { amHost, isOnlyRacer, plays, screenOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, listen, set } from '../widgets/element.js';
import { closePrompt, LEVEL, openPrompt, playAtLevel } from './questions.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {ClassicCommand, Command} from '../play/commands.js'
 * @import {Player} from '../play/player.js'
 * @import {State} from '../state/state.js'
 * @import {Answer, Prompt} from './questions.js'
 * @typedef {ReturnType<typeof bindBetweenGames>} BetweenGames
 * @typedef {readonly ('easy' | 'hard')[]} Levels
 */

/** Ask whether to leave. @param {App} app */
function quit(app) {
  const state = app.state();
  const { title, yes, alone, race, room } = strings.CLASSIC.quit;
  const isOnlyInRace = plays(state) && isOnlyRacer(state);
  openPrompt({
    title,
    text: () => (isOnlyInRace ? alone : plays(state) ? race : room),
    // In a race with others `leave` asks once more.
    answers: [{ keys: ['Q'], text: yes, act: () => app.leave(isOnlyInRace) }],
  });
}

/** Let the player change the colours of the table and of the cards. */
function changeColours() {
  /** Return the number and the name of the chosen colours. @param {'table' | 'cards'} name */
  function choiceOf(name) {
    const value = preference(name);
    /** @type {readonly string[]} */
    const choices = CHOICES[name];
    /** @type {Record<string, string>} */
    const names = strings.PREFERENCES[name].names;
    return { at: choices.indexOf(value) + 1, of: choices.length, name: names[value] ?? value };
  }
  const { title, background, cards, chosen } = strings.CLASSIC.colours;
  openPrompt({
    title,
    text: () => chosen(choiceOf('table'), choiceOf('cards')),
    answers: [
      { keys: ['B'], text: background, act: () => preferNext('table'), stays: true },
      { keys: ['F'], text: cards, act: () => preferNext('cards'), stays: true },
    ],
  });
}

/** Let the host choose the level of the next game, or announce why it cannot be chosen now. @param {App} app */
function chooseLevel(app) {
  const state = app.state();
  const { room } = state;
  const words = strings.CLASSIC.level;
  const level = room?.settings.exceptions ?? 'off';
  if (!room || level === 'off') {
    app.announce(`${strings.LEVELS.off} ${words.none}`);
    return;
  }
  const isBetween = room.state === 'LOBBY' || room.state === 'FINISHED';
  if (!isBetween || !amHost(state)) {
    const reason = amHost(state) ? words.racing : words.host;
    app.announce(`${words.now(LEVEL[level])} ${reason}`);
    return;
  }
  /** @type {Levels} */
  const levels = ['easy', 'hard'];
  openPrompt({
    title: words.now(LEVEL[level]),
    text: () => (isOnlyPlayer(state) ? words.next : words.all),
    answers: levels.map((each) => ({
      keys: [String(LEVEL[each])],
      text: words[each],
      act: () => playAtLevel(app, each),
    })),
  });
}

/** Act, after a question if the player prefers that. @param {App} app @param {Prompt & {answers: readonly [Answer]}} question */
function confirm(app, question) {
  if (preference('confirmDeal'))
    openPrompt({ ...question, cancelled: () => app.announce(strings.PLAY.notDone) });
  else question.answers[0].act();
}

/** Deal a row, after a question if the player prefers that. @param {App} app @param {Player} player */
function dealRow(app, player) {
  const { title, yes, none } = strings.CLASSIC.deal;
  const view = tableOf(player);
  const act = () => deal(player, true);
  if (view?.counts.stock === 0)
    whenLoaded(() => openPrompt({ title: none(gameInfo(view.game)?.stock ?? 0) }));
  else if (!view?.legal.some(({ type }) => type === 'deal')) act();
  else {
    grab(player, null);
    confirm(app, { title, answers: [{ keys: ['F10', '0'], text: yes, act }] });
  }
}

/** Begin a new practice game, after a question if the player prefers that. @param {App} app */
function restart(app) {
  const { title, text, yes, race } = strings.CLASSIC.newGame;
  const act = () => {
    const { room } = app.state();
    if (room?.state === 'RUNNING') for (const message of newGameMessages(room)) app.send(message);
  };
  if (!isOnlyRacer(app.state())) app.announce(race);
  else confirm(app, { title, text: () => text, answers: [{ keys: ['F8', '8'], text: yes, act }] });
}

/**
 * Return the actions of the race that replace the modern ones.
 * @param {{app: App, player: Player, cursor: () => {pile: string} | null}} race
 * @returns {Record<ClassicCommand, () => void>}
 */
export const classicActions = ({ app, player, cursor }) => ({
  deal: () => dealRow(app, player),
  dealSure() {
    if (player.awaited === 'deal') deal(player, true);
    else app.announce(strings.CLASSIC.deal.early);
  },
  restart: () => restart(app),
  restartSure: () => app.announce(strings.CLASSIC.newGame.early),
  // Only the suit under the cursor is removed, since keeping a suit can be a strategy.
  remove: () => removeSuit(player, cursor()?.pile),
  level: () => chooseLevel(app),
  colours: changeColours,
  quit: () => quit(app),
});

// Between two games: on the results and in the room.

/** Return whether a key is pressed between two games, and not for a field or a dialog. @param {App} app @param {KeyboardEvent} event */
function isBetweenGames(app, event) {
  const isOnPage = ['room', 'results'].includes(screenOf(app.state()));
  if (!isOnPage || preference('keys') !== 'classic' || event.defaultPrevented) return false;
  return !isChord(event) && !isTyping(event) && !document.querySelector('dialog[open]');
}

/** Bind the keys between two games, and the line that names them. @param {App} app */
export function bindBetweenGames(app) {
  let screen = screenOf(app.state());
  const line = h('p', { class: 'text-small', id: 'press' });
  listen(document, 'keydown', (event) => {
    if (isBetweenGames(app, event) && press(app, event)) event.preventDefault();
  });

  /** Show the line that names the keys, to a host who uses them. @param {State} state */
  function update(state) {
    const name = screenOf(state);
    if (name !== screen) closePrompt();
    screen = name;
    const place = document.querySelector(
      name === 'results' ? '.results-steps' : name === 'room' ? '#room-players' : '#none',
    );
    if (!place || !amHost(state) || preference('keys') !== 'classic') {
      line.remove();
      return;
    }
    set(line, { text: keysLine(state) });
    if (line.parentNode !== place) place.append(line);
  }

  return { update };
}

/** Return whether the rules of the room have exceptions. @param {State} state */
const hasLevels = ({ room }) => (room?.settings.exceptions ?? 'off') !== 'off';

/** Return the games that can be chosen as the next one. @param {State} state */
const gamesToPlay = (state) =>
  [...choosableGames(state), ...repeatableGames(state)].sort((a, b) => a - b);

/** Return the line that names the keys. @param {State} state */
function keysLine(state) {
  const { afterGame, beforeGame } = strings.CLASSIC;
  const rounds = state.room?.settings.rounds ?? 1;
  return screenOf(state) === 'results'
    ? afterGame(hasLevels(state), rounds > 1 && gamesToPlay(state).length > 0)
    : beforeGame(hasLevels(state), Math.min(rounds, 10));
}

/** What the commands do there. @type {Partial<Record<Command, (app: App) => void>>} */
const ACTIONS = {
  level: chooseLevel,
  restart: playOn,
  colours: changeColours,
  quit: (app) => (isOver(app) && isOnlyPlayer(app.state()) ? app.leave() : quit(app)),
};

/** Perform the command of a key. @param {App} app @param {KeyboardEvent} event @returns {boolean} whether it has one */
function press(app, event) {
  const name = plainName(event);
  if (keyOf(event).length === 1 && !preference('letterKeys')) return false;
  if (/^\d$/.test(name) && pressDigit(app, name)) return true;
  if (name === 'G' && isOver(app) && amHost(app.state())) {
    askGame(app);
    return true;
  }
  const command = commandOf(event, 'classic', true);
  const act = command && ACTIONS[command];
  act?.(app);
  return act !== undefined;
}

/** Return whether a game is over, and the next one has not begun. @param {App} app */
const isOver = (app) => app.state().room?.state === 'FINISHED';

/** Choose a level by its digit where there are levels, or else a game. @param {App} app @param {string} digit */
function pressDigit(app, digit) {
  const state = app.state();
  if (!amHost(state)) return false;
  if (isOver(app) && hasLevels(state) && (digit === '1' || digit === '2')) {
    playAtLevel(app, digit === '1' ? 'easy' : 'hard');
    return true;
  }
  if ((state.room?.settings.rounds ?? 1) < 2) return false;
  // The server gives the reason if the game cannot be chosen.
  app.send({ type: 'choose', game: digit === '0' ? 10 : Number(digit) });
  return true;
}

/** Ask which game is next. @param {App} app */
function askGame(app) {
  const games = gamesToPlay(app.state());
  if (games.length < 1) return;
  openPrompt({
    title: strings.CLASSIC.which,
    answers: games.map((game) => ({
      keys: game <= 10 ? [String(game % 10)] : [], // 0 is the tenth
      text: strings.CLASSIC.game(game),
      act: () => app.send({ type: 'choose', game }),
    })),
  });
}

/** Play on by the same rules; for a player alone the game begins at once. @param {App} app */
function playOn(app) {
  const state = app.state();
  const { host, wait } = strings.CLASSIC.newGame;
  if (!amHost(state)) app.announce(host);
  else if (isOver(app)) for (const message of playOnMessages(state)) app.send(message);
  else if (isOnlyPlayer(state)) app.send({ type: 'start' });
  else app.announce(wait);
}
