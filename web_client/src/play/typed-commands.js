// The commands of typed lines.

import { strings } from '../strings/language.js';
import {
  deal,
  finish,
  makeTypedMove,
  redo,
  removeSuit,
  tableOf,
  toggleException,
  undo,
} from './player.js';
import { parseTyped } from './typed-moves.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {Aids} from './aids.js'
 * @import {Player} from './player.js'
 */

const ACTS = { deal, undo, redo, finish, exception: toggleException };

/**
 * Make the reader of typed lines.
 * @param {App} app
 * @param {Player} player
 * @param {Aids} aids
 * @param {{help: () => void, why: () => void, hint: () => void}} race
 * @returns {(line: string) => boolean} whether it was understood
 */
export function makeTypedCommands(app, player, aids, race) {
  return (line) => {
    const view = tableOf(player);
    if (!view) return false;
    const typed = parseTyped(line, view);
    switch (typed.do) {
      case 'move':
        makeTypedMove(player, typed);
        break;
      case 'remove':
        removeSuit(player, typed.from ?? undefined);
        break;
      case 'locate':
        aids.find(typed.card);
        break;
      case 'mark':
        aids.toggleMarks();
        break;
      case 'standings':
        app.announce(strings.standingsSpoken(app.state()));
        break;
      case 'help':
      case 'why':
      case 'hint':
        race[typed.do]();
        break;
      case 'wrong':
        if (typed.what !== 'nothing') app.announce(strings.TYPED[typed.what](typed.text));
        return false;
      default:
        ACTS[typed.do](player);
    }
    return true;
  };
}
