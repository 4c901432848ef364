// The end of this player's game. A panel over the table shows the result, or asks whether to end the game or let the
// page play out the rest. Giving up and dealing again, which the header offers, are here too.
//
// The panel is not a dialog, so that the board, the chat and all keys still work.
// Law: only the server says that a game is stuck, dead or won; the page never guesses.

import { isLegal } from '../game/table.js';
import { assessedInForce } from '../play/hints.js';
import { attempt } from '../play/player.js';
import { restartMessages } from '../state/next-game.js';
import { hasWonRace, lostTo, openPlace } from '../state/race-events.js';
import {
  amHost,
  canWatchLater,
  isDone,
  isIdle,
  isOneOfSeveral,
  isOnlyRacer,
  isOpenRaceOn,
  isPlaying,
  isPractice,
  isTodaysRace,
  mayTakeBackForfeit,
  mySeat,
  ownRow,
  plays,
  shownPlace,
  timeLeftOf,
} from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';
import { callAll, every, h, listen, makeThrottle, set } from '../widgets/element.js';

/**
 * @import {Action} from '../contract/notation.js'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Player} from '../play/player.js'
 * @typedef {object} Parts the parts of the race that the panel uses
 * @property {App} app
 * @property {Player} player
 * @property {() => void} focusBoard
 * @property {(event: KeyboardEvent) => boolean} press handles a key as the board does; returns false if the key does
 *   nothing there
 * @property {() => boolean} showsWin returns whether the table was just won, so that nothing may cover it yet
 * @typedef {object} Question a question, or a result if it has no answers
 * @property {string} [kind]
 * @property {string} [id] kept in `putOff` once the player has put the question off
 * @property {string} title
 * @property {string} text
 * @property {string} [playOn] the label of the answer that lets the game go on
 * @property {string} [end] the label of the other answer
 * @property {(app: App) => void} [doPlayOn] what `playOn` does instead of putting the question off
 * @property {(panel: Panel) => void} [doEnd] what the other answer does
 * @property {boolean} [hasUndo] whether Undo is offered as a third answer
 * @property {boolean} [isPlayOnBetter] whether `playOn` is the primary button
 * @typedef {Parts & ReturnType<typeof makePanelState>} Panel
 */

const TICK_MS = 1_000; // how often the time left is updated
const PACE_MS = 160; // the least time between two acts that the page plays out
const LEAST_GRACE_S = 5; // a host who ends the race has to give the others at least this long

/** The message that gives up; the player can take it back for a moment. */
const REVOCABLE_FORFEIT = /** @type {const} */ ({ type: 'forfeit', held: true });

/** Return the table of this player's game; null once it is over. @param {State} state */
const ongoingTable = (state) =>
  plays(state) && state.play && !state.play.base.outcome ? state.play.base : null;

/**
 * The questions by kind, the most urgent first. Each function returns its question if the state calls for it.
 * @type {Record<string, (state: State, nowMs: number) => Question | false | null | undefined>}
 */
const QUESTIONS = {
  // The player has just given up: should that be taken back?
  'gave-up': (state) =>
    mayTakeBackForfeit(state) && {
      ...strings.GAVE_UP,
      doEnd: ({ app }) => app.send({ type: 'forfeit' }),
      doPlayOn: (app) => app.send({ type: 'forfeit', taken_back: true }),
      isPlayOnBetter: true,
    },
  /** The game is stuck: should it end? @param {State} state */
  stuck(state) {
    const table = ongoingTable(state);
    const sent = state.play?.inFlight.map(({ action }) => action.type) ?? [];
    // While one of these acts is on its way, the table still looks stuck.
    if (!table?.stuck || sent.includes('finish') || sent.includes('undo')) return null;
    return {
      kind: `stuck ${table.at}`, // a new position asks again
      title: strings.STUCK,
      text: strings.stuckAsk(table),
      playOn: strings.KEEP_LOOKING,
      end: strings.RACE.finish,
      doEnd: ({ player }) => attempt(player, { type: 'finish' }),
      hasUndo: isLegal(table, { type: 'undo' }),
    };
  },
  /** All others have given up: should the race end? @param {State} state */
  last(state) {
    const own = ownRow(state);
    const others = state.standings.filter((each) => each !== own);
    const haveGivenUp = others.length > 0 && others.every((each) => each.state === 'FORFEIT');
    if (state.room?.state !== 'RUNNING' || own?.state !== 'RACING' || !haveGivenUp) return null;
    return {
      ...strings.lastRacer(amHost(state)),
      doEnd: ({ app }) => endRace(app),
      isPlayOnBetter: !amHost(state), // a host who ends the race keeps the score; others could only give up
    };
  },
  /** The game is as good as won: should the rest be played out? @param {State} state */
  won(state) {
    const assessed = ongoingTable(state) && assessedInForce(state);
    if (assessed?.outlook !== 'won') return null;
    const { line: acts, at } = assessed;
    const words = strings.playOutAsk(acts.length);
    return { ...words, doEnd: (panel) => startPlayOut(panel, acts, at) };
  },
  /** The game cannot be won any more: should it end? @param {State} state */
  dead(state) {
    const table = ongoingTable(state);
    const assessed = assessedInForce(state);
    if (!table || assessed?.outlook !== 'dead') return null;
    const hasUndo = isLegal(table, { type: 'undo' });
    return {
      ...strings.deadAsk(table.score, assessed.gain, hasUndo),
      doEnd: ({ app }) => app.send({ type: 'forfeit', dead: true }),
      hasUndo,
    };
  },
  /** Somebody is sure to win the race: should this game end? @param {State} state @param {number} nowMs */
  behind(state, nowMs) {
    const winner = lostTo(state);
    if (!winner) return null;
    const left = state.room && timeLeftOf(state.room, nowMs);
    const words = strings.behindAsk(winner.name, openPlace(state), left);
    return { ...words, doEnd: ({ app }) => giveUp(app), isPlayOnBetter: true };
  },
  /** The host waits only for computer players: should the race end? @param {State} state @param {number} nowMs */
  computers(state, nowMs) {
    const playing = state.room?.seats.filter(isPlaying) ?? [];
    const areComputers = playing.length > 0 && playing.every(({ level }) => level);
    if (!areComputers || !isDone(state) || !amHost(state) || isOpenRaceOn(state.room)) return null;
    const words = resultWords(state, nowMs);
    return { ...words, end: strings.RACE.end, doEnd: ({ app }) => endRace(app) };
  },
};

/**
 * Return the questions that a state calls for, the most urgent first. Their ids name the round, so a question that was
 * put off comes back in the next round; the one about a stuck game, which has its own `kind`, in the next position.
 * @param {State} state @param {number} nowMs the server's time
 */
export function questionsOf(state, nowMs) {
  const roundId = `${state.room?.code} ${state.room?.round?.n}`;
  return Object.entries(QUESTIONS).flatMap(([kind, find]) => {
    const question = find(state, nowMs);
    return question ? [{ kind, ...question, id: `${roundId} ${question.kind ?? kind}` }] : [];
  });
}

/** Return the title and the text of this player's result so far. @param {State} state @param {number} nowMs */
function resultWords(state, nowMs) {
  const { room, standings, play } = state;
  const own = ownRow(state);
  const hasWon = hasWonRace(state);
  // During an open race the forfeit is only in this player's row of the standings.
  const hasGivenUp = [mySeat(state), own].some((each) => each?.state === 'FORFEIT');
  let title = hasGivenUp ? strings.NEWS.forfeit : strings.RACE.finished;
  if (play?.base.outcome === 'won') title = strings.RACE.home;
  if (hasWon) title = strings.youWin(own?.finished_ms ?? 0);
  const racing = standings.filter((each) => each.state === 'RACING' && each !== own).length;
  // A winner's title already names the place.
  const place = own && !hasGivenUp && !hasWon ? shownPlace(own) : null;
  const sentences = isOpenRaceOn(room)
    ? [place ? strings.placeSoFar(place) : '']
    : [strings.soFar(place, racing, room && timeLeftOf(room, nowMs))];
  if (hasWon && racing > 0) sentences.push(strings.WIN_STAYS);
  if (canWatchLater(state)) sentences.push(strings.WATCH_REST);
  return { title, text: sentences.join(' ') };
}

function makeView() {
  const title = h('strong', { id: 'game-over-title' });
  const text = h('span', { id: 'game-over-text' });
  const playOnButton = h('button', { id: 'game-over-look' });
  const undo = h('button', { id: 'game-over-undo', text: strings.RACE.undo });
  const end = h('button', { id: 'game-over-finish' });
  const buttons = h('div', { class: 'buttons', hidden: true }, playOnButton, undo, end);
  const looks = { class: 'game-over', id: 'game-over', role: 'group', hidden: true };
  const element = h('div', looks, title, ' ', text, buttons);
  set(element, { 'aria-labelledby': title.id, 'aria-describedby': text.id });
  return { element, title, text, playOnButton, undo, end, buttons };
}

/** Make the state of the panel. @param {() => void} makeNextAct called for each act that the page plays out */
const makePanelState = (makeNextAct) => ({
  view: makeView(),
  putOff: /** @type {Set<string>} */ (new Set()), // the ids of the questions that the player has put off
  /** The question shown, and how many acts the game had then. @type {{question: Question, at: number} | null} */
  shown: null,
  remaining: /** @type {readonly Action[]} */ ([]), // the acts that the page still has to play out
  expectedAt: -1, // how many acts the game must have had before the next one is played out
  pace: makeThrottle(PACE_MS, makeNextAct),
});

/** Bind the panel that asks whether to end this player's game, and shows its result. @param {Parts} parts */
export function bindGameOver(parts) {
  /** @type {Panel} */
  const panel = { ...parts, ...makePanelState(() => playNext(panel)) };
  const { element, playOnButton, undo, end } = panel.view;
  listenToPresses(playOnButton, () => playOn(panel));
  listenToPresses(undo, () => attempt(parts.player, { type: 'undo' }));
  listenToPresses(end, () => panel.shown?.question.doEnd?.(panel));
  listen(element, 'keydown', (event) => pressKey(panel, event));
  // The text names the time left, which changes without a message.
  const stopTicking = every(TICK_MS, () => {
    if (!element.hidden) update(panel);
  });

  return {
    element,
    cancel: () => playOn(panel),
    stop: () => stopPlayOut(panel),
    update() {
      updatePlayOut(panel);
      update(panel);
    },
    unbind: callAll(stopTicking, panel.pace.stop),
  };
}

/**
 * Listen to a button, but ignore the second click of a double click on the table: the button may just have appeared.
 * @param {HTMLElement} button @param {() => void} act
 */
const listenToPresses = (button, act) =>
  listen(button, 'click', ({ detail }) => {
    if (detail < 2) act();
  });

/** Give the shown question, if any, the answer that lets the game go on. Most are just put off. @param {Panel} panel */
function playOn(panel) {
  const question = panel.shown?.question;
  if (!question?.playOn) return;
  if (question.doPlayOn) question.doPlayOn(panel.app);
  else panel.putOff.add(question.id ?? '');
  update(panel);
}

/** Handle a key while the question has the focus. @param {Panel} panel @param {KeyboardEvent} event */
function pressKey(panel, event) {
  const { view, press, focusBoard } = panel;
  if (view.buttons.hidden || event.defaultPrevented) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    playOn(panel);
  } else if (event.key === 'Enter' || event.key === ' ') {
    if (event.repeat) event.preventDefault(); // the key was down before the question appeared
  } else if (press(event) && view.element.contains(document.activeElement)) {
    focusBoard(); // the key did something on the board, so the player goes on there
  }
}

/**
 * Return the most urgent question that the player has not put off. While the page plays out a game, it offers to stop.
 * @param {Panel} panel @param {State} state @returns {Question | undefined}
 */
function nextQuestion(panel, state) {
  const left = panel.remaining.length;
  const doPlayOn = () => stopPlayOut(panel);
  if (left > 0) return { kind: 'playing', ...strings.playingOut(left), doPlayOn };
  return questionsOf(state, panel.app.now()).find(({ id }) => !panel.putOff.has(id));
}

/** Show the most urgent question, the result of a game that is over, or nothing. @param {Panel} panel */
function update(panel) {
  const { app, putOff, shown: before } = panel;
  const state = app.state();
  const at = state.play?.shown.at ?? -1; // how many acts the game has had; -1 before the table arrives
  // After a rival's win, making an act also answers the question.
  const hasActed = before !== null && before.at >= 0 && before.at !== at;
  if (hasActed && before.question.kind === 'behind') putOff.add(before.question.id ?? '');
  const question = nextQuestion(panel, state);
  panel.shown = question ? { question, at } : null;
  const isOver = (Boolean(state.play?.base.outcome) || isDone(state)) && !panel.showsWin();
  draw(panel, question ?? (isOver ? resultWords(state, app.now()) : null));
  if (question && question.kind !== before?.question.kind) announce(panel, question);
}

/** Show a question or a result; null hides the panel. @param {Panel} panel @param {Question | null} question */
function draw({ view, focusBoard }, question) {
  const { element, title, text, playOnButton, undo, end, buttons } = view;
  if (!question && element.contains(document.activeElement)) focusBoard(); // or the focus would be lost
  element.hidden = !question;
  document.body.dataset.question = question ? 'open' : 'none';
  if (!question) return;
  const { playOn: playOnText, end: endText, isPlayOnBetter } = question;
  set(title, { text: question.title });
  set(text, { text: question.text });
  set(playOnButton, {
    text: playOnText,
    hidden: !playOnText,
    'data-kind': isPlayOnBetter ? 'primary' : 'plain',
  });
  set(end, { text: endText, hidden: !endText, 'data-kind': isPlayOnBetter ? 'plain' : 'primary' });
  set(undo, { hidden: !question.hasUndo });
  set(buttons, { hidden: !playOnText && !endText });
  set(element, { 'data-asks': !buttons.hidden, 'data-kind': question.kind });
}

/** Read out a new question, or focus one of its answers. @param {Panel} panel @param {Question} question */
function announce({ app, view }, { kind, title, text, playOn: playOnText, end: endText }) {
  if (!playOnText || !endText) return; // no choice
  // A stuck game is announced in any case, so here only the focus moves, to an answer. Other questions leave the focus
  // alone: they come in the middle of a game, when the player may press Enter for the board.
  if (!kind?.startsWith('stuck')) app.readOut(`${title}. ${text}`);
  else if (document.activeElement?.matches('body, .board, .board *'))
    view.end.focus({ preventScroll: true });
}

// If the player agrees, the page plays out a game that is as good as won. It sends each act once the server has
// answered the one before, as a player would, and stops if anything else changes the table.

/**
 * Start playing out acts.
 * @param {Panel} panel @param {readonly Action[]} acts
 * @param {number} at how many acts the game must have had when they start
 */
function startPlayOut(panel, acts, at) {
  stopPlayOut(panel);
  panel.remaining = acts;
  panel.expectedAt = at;
  panel.pace.runNow();
}

/** Stop playing out acts, if any are left. @param {Panel} panel */
function stopPlayOut(panel) {
  panel.pace.stop();
  if (panel.remaining.length === 0) return;
  panel.remaining = [];
  update(panel);
}

/** Play out the next act, or stop if the table is not the expected one. @param {Panel} panel */
function playNext(panel) {
  const { app, remaining, expectedAt } = panel;
  const { play } = app.state();
  const [next, ...rest] = remaining;
  if (!next || !play || !isIdle(play) || play.base.at !== expectedAt || !isLegal(play.base, next))
    return stopPlayOut(panel);
  panel.remaining = rest;
  panel.expectedAt += 1;
  app.act(next);
  update(panel);
}

/** Play out the next act once the server has answered. Stop if it refused the last one, or the player also acted. @param {Panel} panel */
function updatePlayOut(panel) {
  const { app, remaining, expectedAt, pace } = panel;
  if (remaining.length === 0) return;
  const state = app.state();
  const { play, synced } = state;
  const hasGivenUp = mayTakeBackForfeit(state);
  const canAct = synced && plays(state) && !hasGivenUp && play && !play.base.outcome;
  if (!canAct || (isIdle(play) && play.base.at !== expectedAt)) stopPlayOut(panel);
  else if (isIdle(play)) pace.request();
}

/** End the race for everybody, if this player is the host, or else give up. @param {App} app */
function endRace(app) {
  if (amHost(app.state())) app.send({ type: 'end', grace_s: LEAST_GRACE_S });
  else giveUp(app);
}

/** Give up if the player confirms it. They can still take it back for a moment. @param {App} app */
export async function giveUp(app) {
  const state = app.state();
  let question = isOnlyRacer(state)
    ? strings.ASK_IN_RACE.forfeitAlone
    : strings.ASK_IN_RACE.forfeit(state.room !== null && isOneOfSeveral(state.room));
  if (isOpenRaceOn(state.room) || isTodaysRace(state.room))
    question = strings.ASK_IN_RACE.forfeitOpenRace; // the only try
  const text = canWatchLater(state) ? `${question.text} ${strings.WATCH_REST}` : question.text;
  if (await ask({ ...question, text, grave: true })) app.send(REVOCABLE_FORFEIT);
}

/**
 * Deal the same cards again. Ask first, unless nothing would be lost: in practice, before the first act. In today's
 * race, and with a secret deal that others may play, nobody gets a second try: offer to give up instead.
 * @param {App} app
 */
export async function restart({ state, send }) {
  const { room: roomBefore, play } = state();
  if (!roomBefore) return;
  const canOnlyGiveUp = restartMessages(roomBefore) === null;
  const question = canOnlyGiveUp ? strings.ASK_IN_RACE.restartSecret : strings.ASK_IN_RACE.restart;
  const hasActed = play?.shown !== play?.base || Boolean(play?.base.at); // `shown` has acts on their way
  const losesNothing = !canOnlyGiveUp && isPractice(roomBefore) && !hasActed;
  if (!losesNothing && !(await ask({ ...question, grave: canOnlyGiveUp }))) return;
  const { room } = state(); // the race may have ended while the question was open
  if (room?.state !== 'RUNNING') return;
  for (const message of restartMessages(room) ?? [REVOCABLE_FORFEIT]) send(message);
}
