// The progress of players, for the track. Pure.

import { GAMES } from '../contract/games.js';

/** @import {Standing} from '../contract/messages.d.ts' */

/**
 * Return the progress of a player, from 0 to 1. Half of it is turning cards up, in games where cards
 * begin face down; the rest is bringing cards home.
 * @param {Pick<Standing, 'home' | 'face_down' | 'won'>} standing
 * @param {string} game
 */
export function progress(standing, game) {
  if (standing.won) return 1;
  const { cards, face_down: hidden } = GAMES[game];
  const homePart = standing.home / cards;
  return hidden > 0 ? (homePart + Math.max(0, 1 - standing.face_down / hidden)) / 2 : homePart;
}
