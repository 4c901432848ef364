// Addresses of rooms: their codes as people type them (Crockford's base 32, in which O is 0, and I and L
// are 1), and the invitations behind them, which say what a player knows of a room before joining it. The
// server puts that of a link into the head of its page; that of a typed code is requested.

import { seatInHistory } from '../browser/storage.js';
import { parse } from '../contract/notation.js';
import { CODE_ALPHABET, CODE_LENGTH } from '../contract/protocol.js';
import { isOnlyRacer, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/controls.js';

/**
 * @import {Invitation} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 */

const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);

/**
 * Return the room code in a text that was typed or pasted, which may be a whole link.
 * @param {string} text
 * @returns {string | null} null if there is none
 */
export function codeIn(text) {
  const typed = /\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/**
 * Return the finished round that a path or a pasted link leads to: `/r/CODE/n`, with its number in the room.
 * @param {string} text
 * @returns {{code: string, n: number} | null} null if it leads to none
 */
export function roundIn(text) {
  const n = /\/r\/[^/?#\s]+\/(\d{1,6})(?:[?#]\S*)?\s*$/i.exec(text)?.[1]; // the server takes no more digits
  const code = n ? codeIn(text) : null;
  return code ? { code, n: Number(n) } : null;
}

/** The rooms by code; null means that there is no such room. @type {Map<string, Invitation | null>} */
const invitations = new Map();

/**
 * Store the room that the server has put into the head of a room's page.
 * @param {string} path of the page
 * @param {string | null | undefined} text the room in JSON, `null` if there is none; other pages have no text
 */
export function storeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path); // the page of a finished round is no invitation
  if (code && text) invitations.set(code, parse(text));
}

/** Return a room, null if there is none, or undefined if that is not known. @param {string} code */
export const invitationTo = (code) => invitations.get(code);

/**
 * Request a room as it is now, and store it. Without a whole answer it is not known any more.
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} null if there is none, undefined if that is not known
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) invitations.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) invitations.set(code, null);
  else invitations.delete(code);
  return invitations.get(code);
}

// The browser's Back button during a race: the page asks before it leaves.
//
// While this player races, the history has a marked entry after the entry of the room. Going back
// removes only the marked entry; the page adds it again and asks.

/**
 * @typedef {object} Page
 * @property {() => State} state
 * @property {() => void} release gives up the connection; the seat is kept
 * @property {() => void} route shows the page of the address
 * @property {() => void} home shows the front page
 */

const MARK = { race: true };
/** The longest step in the history; if the room is its first entry, there is no step back. */
const MAX_STEP_MS = 500;

const isMarked = () => history.state?.race === true;

/**
 * Step back from the marked entry to the room's own; return false if the one before is not the room's. A
 * page that is reloaded while it adds the mark may have no other entry, or, in Chromium, a wrong place in
 * the history: one step back would leave the room. So the entry is named where the browser can.
 * @param {() => void} failed called if the browser does not make the step
 */
function stepBack(failed) {
  const { navigation } = globalThis;
  if (!navigation?.currentEntry) {
    history.back(); // the browser can name no entry
    return true;
  }
  const previous = navigation.entries()[navigation.currentEntry.index - 1];
  if (previous?.url !== location.href) return false;
  const { committed, finished } = navigation.traverseTo(previous.key);
  committed?.catch(failed);
  finished?.catch(() => {}); // it fails with the other one
  return true;
}

/** Bind the Back button, which leaves a race only after a question. @param {Page} page */
export function bindWayBack({ state, release, route, home }) {
  let leaving = false; // from the player’s answer until the step out of the room is over
  /** Whether the marked entry is being removed, which ends with a later event. */
  let unmarking = false;
  const code = () => state().room?.code ?? '';
  const addMark = () =>
    history.pushState({ ...MARK, ...seatInHistory(code()) }, '', `/r/${code()}`);

  /** Take the mark from the entry that is shown, where no step back removes it. */
  function unmark() {
    unmarking = false;
    if (isMarked()) history.replaceState(seatInHistory(code()), '', `/r/${code()}`);
  }

  /** Add the entry again and ask; leave the race if the player confirms. */
  async function confirmLeaving() {
    addMark();
    const question = isOnlyRacer(state()) ? strings.ASK.backAlone : strings.ASK.back;
    if (!(await ask({ ...question, grave: true }))) return;
    leaving = true;
    release();
    // Over the marked entry and the room's own. If the race has ended meanwhile, the marked one is gone.
    history.go(isMarked() ? -2 : -1);
    // The step is an event, which sets `leaving` back; without one, the room was the first entry.
    setTimeout(() => {
      if (leaving) home();
      leaving = false;
    }, MAX_STEP_MS);
  }

  return {
    /** Handle a step in the history: ask if the player races and has made it, else show the page. */
    handleStep() {
      if (!leaving && !unmarking && plays(state())) {
        confirmLeaving();
        return;
      }
      leaving = false;
      unmarking = false;
      route();
    },
    /** Add the marked entry when this player's race begins, and remove it when that ends. */
    update() {
      const isStepping = leaving || unmarking;
      const racing = plays(state());
      if (isStepping || !state().room || racing === isMarked()) return; // a later update does it
      unmarking = !racing;
      if (racing) addMark();
      else if (!stepBack(unmark)) unmark();
    },
  };
}
