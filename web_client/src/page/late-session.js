// The session comes with the first room: the front page is shown without it. Until then there is no
// seat, the state is empty, and the wish to enter a room waits.

import { NOTHING } from '../state/state.js';
import { forgetPart, needPart } from './lazy-part.js';

/**
 * @import {ClientMessage} from '../contract/notation.js'
 * @import {Attempt} from '../game/table.js'
 * @import {How} from './app.d.ts'
 * @import {Page, Session} from './session.js'
 * @typedef {typeof import('./session.js')} Code
 * @typedef {(code: Code, session: Session) => void} Entry
 * @typedef {ReturnType<typeof makeLateSession>} LateSession
 */

const PART = 'session';

const loadSession = () => import('./session.js');

/**
 * Make a session that is loaded when it is needed.
 * @param {Page} page
 * @param {() => void} outdated the server has another version of the session
 * @param {() => Promise<Code>} load
 */
export function makeLateSession(page, outdated, load = loadSession) {
  /** The session, once it is loaded. @type {{code: Code, session: Session} | null} */
  let loaded = null;
  /** What enters a room once the session is loaded. @type {Entry | null} */
  let entry = null;

  /** Use the session; return null before it is loaded. @template T @param {(code: Code, session: Session) => T} use */
  const ifLoaded = (use) => loaded && use(loaded.code, loaded.session);

  /** Start the loaded session, and enter the room that waits for it. @param {Code} code */
  function start(code) {
    loaded = { code, session: code.makeSession(page) };
    const enter = entry;
    entry = null;
    enter?.(code, loaded.session);
  }

  /** Enter a room now, or once the session is loaded. @param {Entry} enter */
  function enterWith(enter) {
    if (loaded) return enter(loaded.code, loaded.session);
    entry = enter;
    page.draw();
    needPart(PART, load, start, outdated);
  }

  return {
    /** Load the code ahead; it is needed soon. */
    fetchAhead: () => load().catch(() => {}), // loaded when it is needed
    state: () => loaded?.session.state ?? NOTHING,
    /** Return why the player is back on a page without a seat, or ''. */
    reason: () => loaded?.session.reason ?? '',
    /** Return whether there is a connection, even one that is lost for the moment. */
    isConnected: () => Boolean(loaded?.session.connection),
    /** Return whether a room is being entered, or the race in it is on its way. */
    isOnTheWay() {
      if (!loaded?.session.connection) return entry !== null;
      const { state, rival } = loaded.session;
      return !state.room || rival !== null;
    },
    /** Return the server's time in ms. */
    now: () => ifLoaded((code, session) => code.now(session)) ?? Date.now(),
    /** Return the seconds until the next try to connect. */
    retryIn: () => ifLoaded((code, session) => code.retryIn(session)) ?? 0,
    /** Send a message; return whether that was possible. @param {ClientMessage} message */
    send: (message) => ifLoaded((code, session) => code.sendNow(session, message)) ?? false,
    /** Make an act of this player. @param {Attempt} action */
    act(action) {
      ifLoaded((code, session) => code.dispatch(session, { type: '@act', action }));
    },
    /** Connect and take a seat. @param {ClientMessage} opening @param {How} how */
    enter: (opening, how) => enterWith((code, session) => code.enter(session, opening, how)),
    /** Take a seat of this browser again. @param {string} room its code */
    resume: (room) => enterWith((code, session) => code.resume(session, room)),
    /** Close the connection and drop the state of the room; a room is entered no longer. */
    release() {
      entry = null;
      forgetPart(PART);
      ifLoaded((code, session) => code.release(session));
    },
    /** Leave the room and forget the seat. */
    giveUpSeat() {
      ifLoaded((code, session) => code.giveUpSeat(session));
    },
    /** Let the other tabs of this browser know that this one no longer has the seat. */
    announceLeft() {
      ifLoaded((code, session) => code.announceLeft(session));
    },
    /** Connect at once, without waiting for the next try. */
    reconnect() {
      ifLoaded((code, session) => code.connectNow(session));
    },
  };
}
