// The parts of the page that come late: they are loaded with the first room, or when a player needs
// them.

import { hasAskedFirst, preference, storeLessonSeen } from './browser/storage.js';
import { keepPart, loadPart } from './page/lazy-part.js';
import { amHost, isForOne, isIdle } from './state/state.js';
import { fetchStrings } from './strings/language.js';
import { loadSheet } from './widgets/element.js';

/**
 * @import {Chat} from './chat/chat.js'
 * @import {BetweenGames} from './classic/between-games.js'
 * @import {FirstQuestions} from './classic/first-questions.js'
 * @import {Said} from './contract/messages.d.ts'
 * @import {App} from './page/app.d.ts'
 * @import {State} from './state/state.js'
 * @import {Tab} from './tab/tab.js'
 * @typedef {object} LateParts
 * @property {App} app
 * @property {(text: string, isInPlace?: () => boolean) => void} sayLater
 * @property {() => void} redraw
 * @property {Chat | null} chat comes with the first room
 * @property {Said[]} unread messages that came before the chat was loaded
 * @property {Tab | null} tab comes with the first room
 * @property {typeof import('./room/join-requests.js') | null} requests come when the first player asks to join
 * @property {BetweenGames | null} betweenGames come with the keys of 1987
 * @property {boolean} earlyKeysBound whether the early keys are bound, which load `betweenGames`
 * @property {FirstQuestions | null} firstQuestions come with the first room that plays by the DOS program's rules
 * @property {boolean} showsLesson whether the lesson is shown over the next game
 */

/**
 * Make the record of these parts, none of which is loaded yet.
 * @param {App} app
 * @param {LateParts['sayLater']} sayLater
 * @param {() => void} redraw
 * @returns {LateParts}
 */
export const makeLateParts = (app, sayLater, redraw) => ({
  ...{ app, sayLater, redraw, chat: null, unread: [], tab: null, requests: null },
  ...{ betweenGames: null, earlyKeysBound: false, firstQuestions: null, showsLesson: false },
});

/** Load the parts that belong to every room. @param {LateParts} late */
export function fetchWithRoom(late) {
  fetchChat(late);
  fetchTab(late);
}

/** Give a chat message to the parts that show it. @param {LateParts} late @param {Said} said */
export function receiveSaid(late, said) {
  if (late.chat) late.chat.receive(said);
  else late.unread.push(said);
  late.tab?.said(said);
}

/** Show a state, and load what it needs. @param {LateParts} late @param {State} state @param {string} screen */
export function updateLate(late, state, screen) {
  late.chat?.update(state);
  late.betweenGames?.update(state);
  late.tab?.update(state);
  if (late.firstQuestions) late.firstQuestions.update(state);
  else if (state.room?.settings.score === 'dos' && !hasAskedFirst()) fetchFirstQuestions(late);
  if (late.showsLesson && state.play && screen === 'race') startLesson(late);
  if (late.requests) late.requests.showRequests(late.app);
  else if (amHost(state) && state.room?.waiting.length) fetchRequests(late);
}

/** Load the chat, and give it the messages that came before it. @param {LateParts} late */
function fetchChat(late) {
  if (late.chat) return;
  const load = () =>
    Promise.all([import('./chat/chat.js'), fetchStrings('race'), loadSheet('chat')]);
  keepPart('chat', load, ([{ makeChat }]) => {
    const chat = makeChat(late.app, late.sayLater);
    late.chat = chat;
    for (const said of late.unread.splice(0)) chat.receive(said);
    chat.moveToScreen();
    chat.update(late.app.state());
  });
}

/** Load what the browser's tab shows of the room, and the lock of the screen. @param {LateParts} late */
function fetchTab(late) {
  if (late.tab) return;
  const load = () => Promise.all([import('./tab/tab.js'), fetchStrings('race')]);
  keepPart('tab', load, ([{ bindTab }]) => {
    late.tab = bindTab(late.app);
    late.tab.update(late.app.state());
  });
}

/** Load the lesson and show it, over the first practice game of this browser. @param {LateParts} late */
function startLesson(late) {
  late.showsLesson = false;
  storeLessonSeen();
  const load = async () => {
    const lesson = await import('./help/lesson.js');
    await lesson.prepareLesson();
    return lesson;
  };
  loadPart('lesson', load, ({ showLesson }) => showLesson(() => beginAgain(late)));
}

/** Deal the same cards again, whose clock has run while the player read the lesson, unless they were played. @param {LateParts} late */
function beginAgain({ app }) {
  const { room, play } = app.state();
  if (room?.state !== 'RUNNING' || !isForOne(room)) return;
  if (!isIdle(play) || play?.base.at !== 0) return;
  app.send({ type: 'abort' });
  app.send({ type: 'start', again: true });
}

/** Store the page that is shown when the network is lost; without it none is. */
export const prepareOffline = () =>
  import('./tab/offline.js').then(({ prepareForOffline }) => prepareForOffline()).catch(() => {});

/** Open the dialog of all preferences. */
export function openPreferences() {
  const load = () =>
    Promise.all([
      import('./preferences/preferences-dialog.js'),
      fetchStrings('after'),
      loadSheet('preferences'),
    ]);
  loadPart('preferences', load, ([{ openDialog }]) => openDialog());
}

/** Load the list of people who ask to join. @param {LateParts} late */
function fetchRequests(late) {
  const load = () => Promise.all([import('./room/join-requests.js'), fetchStrings('race')]);
  keepPart('requests', load, ([module]) => {
    late.requests = module;
    module.showRequests(late.app);
  });
}

/** Load the questions that the DOS program asks first. @param {LateParts} late */
function fetchFirstQuestions(late) {
  const load = async () => {
    const { loadFirstQuestions } = await import('./classic/first-questions.js');
    return loadFirstQuestions(late.app);
  };
  keepPart('first questions', load, (bind) => {
    late.firstQuestions = bind();
    late.firstQuestions.update(late.app.state());
  });
}

/** Load the keys of 1987, if the player uses them. @param {LateParts} late */
export function fetchClassic(late) {
  if (late.earlyKeysBound || preference('keys') !== 'classic') return;
  keepPart(
    'early keys',
    () => import('./classic/early-keys.js'),
    ({ bindEarlyKeys }) => {
      if (late.earlyKeysBound) return;
      late.earlyKeysBound = true;
      bindEarlyKeys(late.app, async () => {
        const { loadBetweenGames } = await import('./classic/between-games.js');
        const bind = await loadBetweenGames(late.app);
        return () => {
          late.betweenGames = bind();
          late.redraw();
        };
      });
    },
  );
}
