// The buttons with which the host adds computer players to the room, at the chosen pace.

import { amHost, isPractice } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makePaceField } from '../widgets/controls.js';
import { h } from '../widgets/element.js';

/**
 * @import {AddBot} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Pace} from '../widgets/controls.js'
 */

/** Bind the buttons, one for each strength. @param {App} app */
export function bindComputerPlayers(app) {
  const levels = /** @type {AddBot['level'][]} */ (Object.keys(strings.STRENGTHS));
  const { element: paceField, pace } = makePaceField();
  const element = h(
    'div',
    { class: 'computer-players', id: 'computer-players', role: 'group' },
    h('p', {
      class: 'text-small',
      id: 'computer-players-title',
      text: strings.ROOM.addComputer,
    }),
    ...levels.map((level) => makeButton(app, level, pace)),
    paceField,
  );
  element.setAttribute('aria-labelledby', 'computer-players-title');
  return {
    element,
    /** Show the buttons to the host, unless the room is for one player. @param {State} state */
    update(state) {
      element.hidden = !amHost(state) || !state.room || isPractice(state.room);
    },
  };
}

/** Make the button of a strength. @param {App} app @param {AddBot['level']} level @param {() => Pace} pace */
function makeButton(app, level, pace) {
  const button = h('button', {
    text: strings.STRENGTHS[level],
    title: strings.STRENGTHS_ABOUT[level],
    onclick: () => app.send({ type: 'add_bot', level, pace: pace() }),
  });
  button.dataset.strength = level;
  return button;
}
