// Whether the numbered deal of a room can be won, as far as the server knows. While the server
// searches, it is asked again.

import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';

/**
 * @import {NumberedDeal, RoomView} from '../contract/messages.d.ts'
 */

/** The waits between two questions, in ms; after the last one it is asked no more. */
export const WAITS_MS = [700, 1_500, 3_000, 6_000, 12_000, 24_000];

/** Return the name of the deal that a room plays next, or '' if it has no number. @param {RoomView} room */
export function dealOf({ code, settings, next_game: game }) {
  if (settings.deal !== 'numbered' || settings.number === null || game === null) return '';
  const { number, layout, auto_remove, relaxed_deal, exceptions } = settings;
  return [code, settings.game, number, game, layout, auto_remove, relaxed_deal, exceptions].join(
    ' ',
  );
}

/** Return what is known about the deal of a room, or null if it cannot be said. @param {string} code @returns {Promise<NumberedDeal | null>} */
async function fetchDeal(code) {
  try {
    const answer = await fetch(`/api/rooms/${code}/deal`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Bind the line about the deal. @param {typeof fetchDeal} [find] */
export function bindDealLabel(find = fetchDeal) {
  const element = h('p', { class: 'text-small', id: 'deal-label', hidden: true });
  let deal = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Ask about a deal, and again while it is searched. @param {string} code @param {string} about @param {number} asked how often it was asked before */
  async function ask(code, about, asked) {
    const found = await find(code);
    if (about !== deal) return;
    const isAgain = (found === null || found.searching) && asked < WAITS_MS.length;
    element.hidden = found === null;
    if (found) write(element, strings.dealLabel(found.number, isAgain ? 'searching' : found.label));
    if (isAgain) timer = setTimeout(ask, WAITS_MS[asked], code, about, asked + 1);
  }

  /** Forget the deal. */
  function forget() {
    clearTimeout(timer);
    deal = '';
    element.hidden = true;
  }

  return {
    element,
    /** @param {RoomView} room */
    update(room) {
      const next = dealOf(room);
      if (next === deal) return;
      forget();
      deal = next;
      if (deal) ask(room.code, deal, 0);
    },
    unbind: forget,
  };
}
