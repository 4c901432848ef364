// The room before the race, which is the table: its rules in the middle, the seats around it, and what
// comes next at its foot.

import { isForOne } from '../state/state.js';
import { strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, write } from '../widgets/element.js';
import { fairLine, makeSteadyDraw } from '../widgets/room-parts.js';
import { bindChanges } from './changes.js';
import { bindColourChoice } from './colour-choice.js';
import { bindComputerPlayers } from './computer-players.js';
import { bindDealLabel } from './deal-label.js';
import { bindInvitation } from './invitation.js';
import { bindMatch } from './match.js';
import { bindReadyBar } from './ready-bar.js';
import { bindRulesFold } from './rules-fold.js';
import { bindSeats } from './seats.js';
import { bindTally } from './tally.js';
import { bindWatchers } from './watchers.js';

/**
 * @import {RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 * @typedef {ReturnType<typeof bindParts>} Parts
 */

/** Bind the room. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindRoom(root, app) {
  const parts = bindParts(app);
  const { rules, match, bar, invitation, dealLabel } = parts;
  const leave = h('button', {
    id: 'leave',
    'data-kind': 'quiet',
    text: strings.ROOM.leave,
    onclick: app.leave,
  });
  const element = h(
    'div',
    { class: 'page room' },
    h(
      'div',
      { class: 'room-floor' },
      h(
        'div',
        { class: 'room-main' },
        makeTable(parts),
        rules.element,
        match.element,
        h('div', { class: 'room-end' }, leave, languageField(app.speak)),
      ),
      h('div', { class: 'room-chat', id: 'chat-place' }),
    ),
    bar.element,
    invitation.dialog,
  );
  root.replaceChildren(element);
  let isNew = true;
  const update = makeSteadyDraw(element, () => {
    const state = app.state();
    if (state.room) draw(element, parts, state, state.room);
    rules.showRefusal(state);
    if (state.room && isNew) {
      isNew = false;
      bar.takeFocus();
    }
  });
  return {
    update,
    unbind() {
      bar.unbind();
      rules.unbind();
      dealLabel.unbind();
    },
  };
}

/** Bind the parts of the room. @param {App} app */
function bindParts(app) {
  const invitation = bindInvitation();
  const changes = bindChanges();
  return {
    invitation,
    cloth: h('div', { class: 'room-cloth' }),
    title: h('h2', { class: 'room-title', id: 'table-title' }),
    seats: bindSeats(app, invitation.open),
    bar: bindReadyBar(app, changes.line, invitation.button),
    changes,
    colours: bindColourChoice(app),
    computers: bindComputerPlayers(app),
    watchers: bindWatchers(app),
    rules: bindRulesFold(app),
    match: bindMatch(app),
    tally: bindTally(),
    fair: fairLine(),
    dealLabel: bindDealLabel(),
  };
}

/** Make the table: in its middle the rules, around it the seats, and below it what concerns them. @param {Parts} parts */
function makeTable(parts) {
  const { cloth, title, tally, changes, rules, dealLabel, seats } = parts;
  const { colours, computers, watchers, fair } = parts;
  cloth.append(
    h(
      'div',
      { class: 'room-middle' },
      title,
      tally.element,
      tally.ofRoom,
      h('div', { class: 'room-gist' }, changes.summary, rules.button),
      dealLabel.element,
    ),
    seats.element,
  );
  return h(
    'section',
    { class: 'room-table', id: 'room-players', 'aria-labelledby': 'table-title' },
    cloth,
    h(
      'div',
      { class: 'room-tools' },
      watchers.element,
      colours.element,
      computers.element,
      h('div', { class: 'room-notify', id: 'notify-place' }),
      fair,
    ),
  );
}

/** Draw the room. @param {HTMLElement} element @param {Parts} parts @param {State} state @param {RoomView} room */
function draw(element, parts, state, room) {
  const host = room.seats.find(({ seat }) => seat === room.host);
  element.toggleAttribute('data-alone', isForOne(room));
  write(parts.title, strings.tableOf(host?.name));
  const changed = parts.changes.update(state, room);
  parts.rules.update(state, room, changed);
  parts.invitation.update(room);
  parts.seats.update(state, room);
  parts.cloth.dataset.round = parts.seats.element.dataset.round;
  parts.watchers.update(state, room);
  parts.colours.update(state);
  parts.computers.update(state);
  parts.bar.update(state, room);
  parts.fair.hidden = room.settings.deal !== 'secret';
  parts.dealLabel.update(room);
  parts.match.update(state);
  parts.tally.update(state);
}
