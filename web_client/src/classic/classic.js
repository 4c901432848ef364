// The keys of the DOS program of 1987, in a race and between two games, and the program's questions, as in part III of
// its manual. A question stands in a box at the lower edge of the page, or before the first game in the room's bottom
// bar. Each answer has its keys, and is a button too. Only players who use these keys or play by the rules of 1987 load
// this module.

import * as storage from '../browser/storage.js';
import { commandOf, isChord, isTyping, keyOf, plainName } from '../play/commands.js';
import { deal, grab, removeSuit, tableOf } from '../play/player.js';
import { gameInfo } from '../room/settings.js';
import * as nextGame from '../state/next-game.js';
import { amHost, isOnlyRacer, plays, screenOf } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makeDialog, showDialog } from '../widgets/dialogs.js';
import { h, listen, set } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {ClassicCommand, Command} from '../play/commands.js'
 * @import {Player} from '../play/player.js'
 * @import {State} from '../state/state.js'
 * @typedef {object} Answer
 * @property {readonly string[]} keys the names of the keys, as in `commands.js`; the first is shown
 * @property {string} text
 * @property {() => void} act
 * @property {boolean} [stays] whether the box stays open for more answers
 * @typedef {ReturnType<typeof bindFirstQuestions>} Asking the state of the first questions
 * @typedef {object} Prompt a question in a box
 * @property {string} title
 * @property {() => string} [text] called again after every answer
 * @property {readonly Answer[]} [answers] besides Escape
 * @property {() => void} [cancelled] called if the box is closed without an answer
 */

/** The program's numbers for the exceptions levels. */
const LEVEL = /** @type {const} */ ({ easy: 1, hard: 2 });

/** Make a button for each answer. @param {readonly Answer[]} answers @param {(answer: Answer) => void} choose */
function makeButtons(answers, choose) {
  const buttons = answers.map((answer) => {
    const [key] = answer.keys;
    const onclick = () => choose(answer);
    return h('button', { 'data-key': key, onclick }, h('kbd', { text: key }), answer.text);
  });
  return h('div', { class: 'stack prompt-answers' }, ...buttons);
}

/** Return the answer that a pressed key stands for. @param {readonly Answer[]} answers @param {KeyboardEvent} event */
const answerOf = (answers, event) => answers.find(({ keys }) => keys.includes(plainName(event)));

/** Close the box of a question that no longer matters, without calling its `cancelled`. */
function closePrompt() {
  const open = document.getElementById('prompt');
  if (open instanceof HTMLDialogElement) open.close('outdated');
}

/** Ask a question in a box, unless a dialog is open. Until it closes only its own keys work. @param {Prompt} prompt */
function openPrompt({ title, text = () => '', answers = [], cancelled }) {
  if (document.querySelector('dialog[open]')) return;
  // A box that was just closed is still there, since its close event comes a frame later. Remove it now.
  document.getElementById('prompt')?.dispatchEvent(new Event('close'));
  const about = h('p', { id: 'prompt-text', 'aria-live': 'polite' });
  // Close the box without a result, as the browser does for Escape, so that `cancelled` is called.
  const close = () => dialog.close();
  const back = { keys: ['Esc'], text: strings.CLASSIC.back, act: close, stays: true };
  const buttons = makeButtons([...answers, back], choose);
  buttons.lastElementChild?.setAttribute('autofocus', ''); // so that Enter gives no answer
  const heading = h('h2', { id: 'prompt-title', text: title });
  const dialog = makeDialog(heading, { class: 'prompt', id: 'prompt' }, heading, about, buttons);
  const updateText = () => set(about, { text: text(), hidden: !text() });

  /** Act on an answer, and close the box unless it stays open. @param {Answer} answer */
  function choose(answer) {
    if (!answer.stays) dialog.close('answered');
    answer.act();
    updateText();
  }

  /** Give the answer that a pressed key stands for. Other keys do nothing. @param {KeyboardEvent} event */
  function pressAnswer(event) {
    if (!dialog.open || isChord(event)) return; // a closed box gets keys until its close event
    const answer = answerOf(answers, event);
    // Block the browser's own function keys, too: F5 would reload the page.
    if (answer || /^F\d+$/.test(event.key)) event.preventDefault();
    event.stopPropagation();
    if (answer) choose(answer);
  }

  const unbind = listen(document, 'keydown', pressAnswer, { capture: true });
  const onClose = () => {
    unbind();
    if (!dialog.returnValue) cancelled?.(); // nothing has closed it with a result
  };
  dialog.addEventListener('close', onClose, { once: true });
  updateText();
  showDialog(dialog);
}

/** Ask whether to leave the race or the room. @param {App} app */
function quit(app) {
  const state = app.state();
  const { title, yes, race, room } = strings.CLASSIC.quit;
  const isOnlyInRace = plays(state) && isOnlyRacer(state);
  let text = room;
  if (isOnlyInRace) text = strings.ASK.leaveAlone.text;
  else if (plays(state)) text = race;
  // In a race with others `leave` asks once more.
  const answer = { keys: ['Q'], text: yes, act: () => app.leave(isOnlyInRace) };
  openPrompt({ title, text: () => text, answers: [answer] });
}

/** Let the player change the colours of the table and of the cards. */
function changeColours() {
  /** Return the chosen colour's name, and its number `at` among `of` colours. @param {'table' | 'cards'} name */
  function choiceOf(name) {
    const names = Object.entries(strings.PREFERENCES[name].names);
    const index = names.findIndex(([value]) => value === storage.preference(name));
    return { at: index + 1, of: names.length, name: names[index]?.[1] ?? '' };
  }
  const { title, background, cards, chosen } = strings.CLASSIC.colours;
  openPrompt({
    title,
    text: () => chosen(choiceOf('table'), choiceOf('cards')),
    answers: [
      { keys: ['B'], text: background, act: () => storage.preferNext('table'), stays: true },
      { keys: ['F'], text: cards, act: () => storage.preferNext('cards'), stays: true },
    ],
  });
}

/**
 * Let the host go on to the next game, with exceptions (moves of runs of mixed suits) at this level.
 * @param {App} app @param {'easy' | 'hard'} level
 */
function playAtLevel(app, level) {
  for (const message of nextGame.playOnMessages(app.state(), level)) app.send(message);
  app.announce(strings.CLASSIC.level.chosen(LEVEL[level]));
}

/** Return answers that choose a level. @param {App} app @param {Record<string, string>} names @returns {Answer[]} */
const levelAnswers = (app, names) =>
  /** @type {const} */ (['easy', 'hard']).map((level) => ({
    keys: [String(LEVEL[level])],
    text: names[level] ?? '',
    act: () => playAtLevel(app, level),
  }));

/** Return the number of the room's exceptions level, or null if its rules allow no exceptions. @param {State} state */
function levelNumberOf({ room }) {
  const { exceptions = 'off' } = room?.settings ?? {};
  return exceptions === 'off' ? null : LEVEL[exceptions];
}

/** Let the host choose the level of the next game, or announce why that is impossible now. @param {App} app */
function chooseLevel(app) {
  const state = app.state();
  const words = strings.CLASSIC.level;
  const level = levelNumberOf(state);
  const isBetween = ['LOBBY', 'FINISHED'].includes(state.room?.state ?? '');
  if (level === null) app.announce(`${strings.LEVELS.off} ${words.none}`);
  else if (!amHost(state)) app.announce(`${words.now(level)} ${words.host}`);
  else if (!isBetween) app.announce(`${words.now(level)} ${words.racing}`);
  else
    openPrompt({
      title: words.now(level),
      text: () => (nextGame.isOnlyPlayer(state) ? words.next : words.all),
      answers: levelAnswers(app, strings.LEVELS),
    });
}

/**
 * Act on the answer `yes`, but ask first if the player prefers that.
 * @param {App} app @param {string} title the question @param {Answer} yes @param {string} [text]
 */
function confirm(app, title, yes, text = '') {
  const cancelled = () => app.announce(strings.PLAY.notDone);
  const asksFirst = storage.preference('confirmDeal'); // before a new game, too
  if (asksFirst) openPrompt({ title, text: () => text, answers: [yes], cancelled });
  else yes.act();
}

/** Deal a row, perhaps after asking, or say that none is left. @param {App} app @param {Player} player */
function askToDeal(app, player) {
  const { title, yes, none } = strings.CLASSIC.deal;
  const view = tableOf(player);
  const act = () => deal(player, { isSure: true });
  if (view?.counts.stock === 0) openPrompt({ title: none(gameInfo(view.game)?.stock ?? 0) });
  else if (!view?.legal.some(({ type }) => type === 'deal'))
    act(); // the server gives the reason
  else {
    grab(player, null); // puts the cards in hand back
    confirm(app, title, { keys: ['F10', '0'], text: yes, act });
  }
}

/** Give up the game and deal another, perhaps after asking. Refuse in a race with others. @param {App} app */
function askForNewGame(app) {
  const { title, text, yes, race: notInRace } = strings.CLASSIC.newGame;
  const act = () => {
    const { room } = app.state();
    // The game may have ended while the question was open.
    if (room?.state === 'RUNNING')
      for (const message of nextGame.newGameMessages(room)) app.send(message);
  };
  if (isOnlyRacer(app.state())) confirm(app, title, { keys: ['F8', '8'], text: yes, act }, text);
  else app.announce(notInRace);
}

/**
 * Return what the keys of 1987 do in a race.
 * @param {{app: App, player: Player, cursor: () => {pile: string} | null}} race `cursor` returns where the cursor is
 * @returns {Record<ClassicCommand, () => void>}
 */
export const classicActions = ({ app, player, cursor }) => ({
  deal: () => askToDeal(app, player),
  // F10 answers the box that F9 opens for a deal, and F8 that of F7 for a new game. An open box takes these keys
  // itself. Those that get here come too early, unless another key has asked for the deal.
  dealSure() {
    if (player.awaited === 'deal') deal(player, { isSure: true });
    else app.announce(strings.CLASSIC.deal.early);
  },
  restart: () => askForNewGame(app),
  restartSure: () => app.announce(strings.CLASSIC.newGame.early),
  // Remove only the suit under the cursor, since it can be wise to keep a suit.
  remove: () => removeSuit(player, cursor()?.pile),
  level: () => chooseLevel(app),
  colours: changeColours,
  quit: () => quit(app),
});

/** Where the line that names the keys stands: a selector for each screen. @type {Readonly<Record<string, string>>} */
const LINE_PLACES = { results: '.bar', room: '#room-players' };

const usesClassicKeys = () => storage.preference('keys') === 'classic';

/** Bind the keys of 1987 on the results and in the room, and the line that names them. @param {App} app */
export function bindBetweenGames(app) {
  let screen = screenOf(app.state());
  const line = h('p', { class: 'text-small', id: 'press' });
  listen(document, 'keydown', (event) => {
    const isHere = screenOf(app.state()) in LINE_PLACES;
    if (!isHere || !usesClassicKeys() || event.defaultPrevented) return;
    if (isChord(event) || isTyping(event) || document.querySelector('dialog[open]')) return;
    if (keyOf(event).length === 1 && !storage.preference('letterKeys')) return; // letters are off
    if (pressKey(app, event)) event.preventDefault();
  });

  /** Show the line about the keys to hosts who use them; close a box left from another screen. @param {State} state */
  function update(state) {
    const name = screenOf(state);
    if (name !== screen) closePrompt();
    screen = name;
    const selector = LINE_PLACES[name];
    const place = selector ? document.querySelector(selector) : null;
    if (!place || !amHost(state) || !usesClassicKeys()) line.remove();
    else {
      set(line, { text: keysLine(state) });
      // On the results page the line comes first in the bar, before the buttons; in the room, below the seats.
      if (line.parentNode !== place) place[name === 'results' ? 'prepend' : 'append'](line);
    }
  }

  return { update };
}

/** Return the numbers of the match's games that the host can choose next. @param {State} state */
const gamesToPlay = (state) =>
  [...nextGame.choosableGames(state), ...nextGame.repeatableGames(state)].sort((a, b) => a - b);

/** Return the line that names the keys. @param {State} state */
function keysLine(state) {
  const { afterGame, beforeGame } = strings.CLASSIC;
  const rounds = state.room?.settings.rounds ?? 1;
  const hasLevels = levelNumberOf(state) !== null;
  return screenOf(state) === 'results'
    ? afterGame(hasLevels, rounds > 1 && gamesToPlay(state).length > 0)
    : beforeGame(hasLevels, Math.min(rounds, 10), nextGame.isOnlyPlayer(state)); // only ten have a digit
}

/**
 * The commands between two games. As in the DOS program, a player alone leaves a finished game without being asked.
 * @type {Partial<Record<Command, (app: App) => void>>}
 */
const ACTIONS = {
  level: chooseLevel,
  restart: playOn,
  colours: changeColours,
  quit(app) {
    if (isOver(app) && nextGame.isOnlyPlayer(app.state())) app.leave();
    else quit(app);
  },
};

/** Handle a key pressed between games; return whether it was used. @param {App} app @param {KeyboardEvent} event */
function pressKey(app, event) {
  const name = plainName(event);
  const isHost = amHost(app.state());
  if (isHost && /^\d$/.test(name) && pressDigit(app, Number(name))) return true;
  if (isHost && isOver(app) && name === 'G') {
    askGame(app);
    return true;
  }
  const command = commandOf(event, 'classic', true); // if letters are off, they don't get here
  const act = command && ACTIONS[command];
  act?.(app);
  return act !== undefined;
}

/** Return whether a game is over, and the next one has not started. @param {App} app */
const isOver = (app) => app.state().room?.state === 'FINISHED';

/** Choose the level or game with this number; return whether there is one. @param {App} app @param {number} digit */
function pressDigit(app, digit) {
  const state = app.state();
  // After a game with levels, 1 and 2 are levels.
  const hasLevels = isOver(app) && levelNumberOf(state) !== null;
  if (hasLevels && digit === LEVEL.easy) playAtLevel(app, 'easy');
  else if (hasLevels && digit === LEVEL.hard) playAtLevel(app, 'hard');
  else if ((state.room?.settings.rounds ?? 1) < 2) return false;
  else playGame(app, digit || 10); // 0 is the tenth
  return true;
}

/** Choose a game of the match, which the server may refuse; deal it if alone. @param {App} app @param {number} game */
function playGame(app, game) {
  const canBePlayed = gamesToPlay(app.state()).includes(game);
  app.send({ type: 'choose', game });
  if (canBePlayed && nextGame.isOnlyPlayer(app.state())) playOn(app);
}

/** Ask which game of the match is next, if any is left. @param {App} app */
function askGame(app) {
  const answers = gamesToPlay(app.state()).map((game) => ({
    keys: game <= 10 ? [String(game % 10)] : [], // 0 is the tenth; later games have buttons only
    text: strings.CLASSIC.game(game),
    act: () => playGame(app, game),
  }));
  if (answers.length > 0) openPrompt({ title: strings.CLASSIC.which, answers });
}

/** Let the host go on to the next game by the same rules. It starts at once if nobody else plays. @param {App} app */
function playOn(app) {
  const state = app.state();
  const { host, wait } = strings.CLASSIC.newGame;
  if (!amHost(state)) app.announce(host);
  else if (isOver(app)) for (const message of nextGame.playOnMessages(state)) app.send(message);
  else if (nextGame.isOnlyPlayer(state)) app.send({ type: 'start' });
  else app.announce(wait);
}

/** Return a player's first questions by the rules of 1987 (`dos`); hosts also choose the level. @param {App} app */
function firstQuestions(app) {
  const state = app.state();
  const { room, me } = state;
  if (screenOf(state) !== 'room' || room?.settings.score !== 'dos' || me?.role !== 'player')
    return [];
  const words = strings.CLASSIC.first;
  /** Make a question's two answers. @param {(isYes: boolean) => void} answer @returns {Answer[]} */
  const yesOrNo = (answer) => [
    { keys: [words.yesKey, 'Y', 'J'], text: words.yes, act: () => answer(true) }, // J for “ja”
    { keys: ['N'], text: words.no, act: () => answer(false) },
  ];
  const questions = [
    {
      title: words.reasons,
      answers: yesOrNo((isYes) => storage.prefer('reasons', isYes ? 'at-once' : 'on-request')),
    },
    { title: words.confirm, answers: yesOrNo((isYes) => storage.prefer('confirmDeal', isYes)) },
  ];
  if (amHost(state) && levelNumberOf(state) !== null)
    questions.push({ title: words.level, answers: levelAnswers(app, strings.DEGREES) });
  return questions;
}

/**
 * Ask, once per browser, the questions that the program of 1987 asked at its first start. Races don't wait for them.
 * @param {App} app
 */
export function bindFirstQuestions(app) {
  const looks = { class: 'row prompt prompt-first', id: 'first-questions', role: 'group' };
  const asking = {
    app,
    box: h('div', { ...looks, 'aria-labelledby': 'first-question' }),
    nextIndex: 0, // of the question to ask next
    latestTitle: '',
    latestAnswers: /** @type {Answer[]} */ ([]),
    update: (/** @type {State} */ state) => updateQuestions(asking, state),
    // Capture keys before `bindBetweenGames` gets them: it takes 1 and 2 for games of the match.
    unbind: listen(document, 'keydown', (event) => answerByKey(asking, event), { capture: true }),
  };
  return asking;
}

/** Give the answer that a pressed key stands for, if any. @param {Asking} asking @param {KeyboardEvent} event */
function answerByKey(asking, event) {
  const { box, latestAnswers } = asking;
  if (!box.isConnected || isChord(event) || document.querySelector('dialog[open]')) return;
  const { target } = event;
  const isChoice = target instanceof Element && target.matches('[type=radio], [type=checkbox]');
  if (isTyping(event) && !isChoice) return; // radio buttons and check boxes use no letters
  if (event.key.length === 1 && !storage.preference('letterKeys')) return; // letters are off
  const answer = answerOf(latestAnswers, event);
  if (!answer) return;
  event.preventDefault();
  event.stopPropagation();
  giveAnswer(asking, answer);
}

/** Act on an answer to the question in the box, and ask the next one. @param {Asking} asking @param {Answer} answer */
function giveAnswer(asking, { act }) {
  asking.nextIndex += 1;
  act();
  updateQuestions(asking, asking.app.state());
}

/** Remove the box from the bar. Without it the bar sticks to the bottom of the window again. @param {Asking} asking */
function removeBox({ box }) {
  box.parentElement?.removeAttribute('data-asks');
  box.remove();
}

/** Remove the box, and never ask the first questions again in this browser. @param {Asking} asking */
function finish(asking) {
  storage.keep('asked-first', true);
  asking.unbind();
  const hadFocus = asking.box.contains(document.activeElement);
  removeBox(asking);
  if (hadFocus) document.getElementById('ready')?.focus();
}

/**
 * Ask one of the first questions: show it in the box, and read it out.
 * @param {Asking} asking @param {ReturnType<typeof firstQuestions>[number]} question
 */
function askFirst(asking, { title, answers }) {
  const { app, box } = asking;
  const text = strings.CLASSIC.first.skip;
  const skip = { keys: ['Esc', 'Escape'], text, act: () => finish(asking) };
  asking.latestTitle = title;
  asking.latestAnswers = [...answers, skip];
  const hadFocus = box.contains(document.activeElement);
  const buttons = makeButtons(asking.latestAnswers, (answer) => giveAnswer(asking, answer));
  box.replaceChildren(h('p', { id: 'first-question', text: title }), buttons);
  if (hadFocus) box.querySelector('button')?.focus();
  app.readOut(title);
}

/**
 * Ask the next question, if any. Stop for good after the last answer, or if a race starts after the first question.
 * @param {Asking} asking @param {State} state
 */
function updateQuestions(asking, state) {
  const { app, box, latestTitle } = asking;
  if (storage.kept('asked-first')) {
    if (box.isConnected) finish(asking); // the player has answered in another tab
    return;
  }
  const questions = firstQuestions(app);
  const question = questions[asking.nextIndex];
  const isAnswered = questions.length > 0 && !question;
  const isRacing = latestTitle !== '' && ['countdown', 'race'].includes(screenOf(state));
  if (isAnswered || isRacing) {
    finish(asking);
    // Tell guests which level the host has chosen.
    const level = amHost(state) ? null : levelNumberOf(state);
    if (isAnswered && level !== null) app.announce(strings.CLASSIC.level.now(level));
  } else if (!question)
    removeBox(asking); // the rules or the screen have changed
  else {
    if (latestTitle !== question.title) askFirst(asking, question);
    const place = document.querySelector('.ready-bar');
    if (!place || box.parentNode === place) return; // the bar is not there yet, or the box is in it
    place.prepend(box);
    place.setAttribute('data-asks', '');
  }
}
