// What a typed line does.

import { strings } from '../core/language.js';
import { typed } from './typed-moves.js';

/**
 * @import {App} from '../main.js'
 * @import {Aids} from './helpers.js'
 * @import {Player} from './player.js'
 */

/**
 * @param {App} app
 * @param {Player} player
 * @param {Aids} aids
 * @param {{help: () => void, why: () => void, hint: () => void}} race
 * @returns {(line: string) => boolean} whether it was understood
 */
export function makeTypist(app, player, aids, race) {
  return (line) => {
    const view = player.table();
    if (!view) return false;
    const meant = typed(line, view);
    switch (meant.do) {
      case 'move':
        player.move(meant);
        break;
      case 'remove':
        player.remove(meant.from ?? undefined);
        break;
      case 'locate':
        aids.find(meant.card);
        break;
      case 'mark':
        aids.mark();
        break;
      case 'standings':
        app.announce(strings.standingsSpoken(app.state()));
        break;
      case 'help':
      case 'why':
      case 'hint':
        race[meant.do]();
        break;
      case 'wrong':
        if (meant.what !== 'nothing') app.announce(strings.TYPED[meant.what](meant.text));
        return false;
      default:
        player[meant.do]();
    }
    return true;
  };
}
