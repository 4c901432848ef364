// The choice of this player's colour in the room. Colours of other players cannot be chosen.

import { SEAT_COLOURS } from '../contract/protocol.js';
import { coloursOf, takenColours } from '../state/seat-colours.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { seatMark } from '../widgets/marks.js';

/**
 * @import {TakeColour} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 */

/** Bind the choice. @param {App} app */
export function bindColourChoice(app) {
  const buttons = SEAT_COLOURS.map((colour) => makeButton(app, colour));
  const element = h(
    'details',
    { class: 'colour-choice', id: 'colours' },
    h('summary', { text: strings.ROOM.colour }),
    h('div', { class: 'colour-choice-list', role: 'group' }, ...buttons),
  );
  element.lastElementChild?.setAttribute('aria-label', strings.ROOM.colour);
  return {
    element,
    /** Show which colour this player has, and which are free. @param {State} state */
    update({ room, me }) {
      if (!room || !me) return;
      const own = coloursOf(room)(me.seat);
      const taken = takenColours(room, me.seat);
      for (const [i, colour] of SEAT_COLOURS.entries()) {
        buttons[i]?.setAttribute('aria-pressed', String(colour === own));
        buttons[i]?.toggleAttribute('disabled', colour !== own && taken.has(colour));
      }
    },
  };
}

/** Make the button of a colour. @param {App} app @param {string} colour */
function makeButton(app, colour) {
  const name = strings.COLOURS[/** @type {TakeColour['colour']} */ (colour)];
  const button = h(
    'button',
    {
      title: name,
      'aria-label': name,
      onclick: () =>
        app.send({ type: 'take_colour', colour: /** @type {TakeColour['colour']} */ (colour) }),
    },
    seatMark(colour),
  );
  button.dataset.colour = colour;
  return button;
}
