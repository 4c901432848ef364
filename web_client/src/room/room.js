// The room before the race, which is the table: its rules in the middle, the seats around it, and what
// comes next at its foot.

import { isForOne } from '../state/state.js';
import { strings } from '../strings/language.js';
import { languageField } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';
import { fairLine, makeSteadyDraw } from '../widgets/room-parts.js';
import { bindMatch, bindTally } from './match.js';
import { bindReadyBar } from './ready-bar.js';
import { bindRules } from './rules.js';
import { bindColourChoice, bindComputerPlayers, bindSeats, bindWatchers } from './seats.js';

/**
 * @import {NumberedDeal, RoomView} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 * @import {App, Bound} from '../page/app.d.ts'
 */

/** Bind the room. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindRoom(root, app) {
  const bar = bindReadyBar(app);
  const seats = bindSeats(app, bar.invite);
  const [rules, match, tally, dealLabel] = [
    bindRules(app),
    bindMatch(app),
    bindTally(),
    bindDealLabel(),
  ];
  const [watchers, colours, computers] = [
    bindWatchers(app),
    bindColourChoice(app),
    bindComputerPlayers(app),
  ];
  const title = h('h2', { class: 'room-title', id: 'table-title' });
  const gist = h('p', { id: 'gist' });
  const middle = h(
    'div',
    { class: 'room-middle' },
    title,
    tally.element,
    h('div', { class: 'room-gist buttons-cloth' }, gist, rules.button),
    dealLabel.element,
  );
  const cloth = h('div', { class: 'room-cloth' }, middle, seats.element);
  const fair = fairLine();
  const tools = h(
    'div',
    { class: 'room-tools buttons-cloth' },
    watchers.element,
    colours.element,
    computers.element,
    h('div', { class: 'room-notify', id: 'notify-place' }),
    fair,
  );
  const leave = h('button', {
    id: 'leave',
    'data-kind': 'quiet',
    text: strings.ROOM.leave,
    onclick: app.leave,
  });
  const main = h(
    'div',
    { class: 'room-main' },
    h(
      'section',
      { class: 'room-table', id: 'room-players', 'aria-labelledby': 'table-title' },
      cloth,
      tools,
    ),
    rules.element,
    match.element,
    h('div', { class: 'room-end buttons-cloth' }, leave, languageField(app.speak)),
  );
  const element = h(
    'div',
    { class: 'page room' },
    h('div', { class: 'room-floor' }, main, h('div', { class: 'room-chat', id: 'chat-place' })),
    bar.element,
    bar.dialog,
  );
  root.replaceChildren(element);

  /** Draw the room. @param {State} state @param {RoomView} room */
  function draw(state, room) {
    const host = room.seats.find(({ seat }) => seat === room.host);
    set(element, { 'data-alone': isForOne(room) });
    write(title, strings.tableOf(host?.name));
    write(gist, strings.rulesLine(room.settings));
    rules.update(state, room, bar.update(state, room));
    set(cloth, { 'data-round': seats.update(state, room) });
    watchers.update(state, room);
    colours.update(state);
    computers.update(state);
    fair.hidden = room.settings.deal !== 'secret';
    dealLabel.update(room);
    match.update(state);
    tally.update(state);
  }

  let isNew = true;
  const update = makeSteadyDraw(element, () => {
    const state = app.state();
    if (state.room) draw(state, state.room);
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

// Whether the numbered deal of a room can be won, as far as the server knows. While the server searches,
// it is asked again.

/** The waits between two questions, in ms; after the last one it is asked no more. */
const WAITS_MS = [700, 1_500, 3_000, 6_000, 12_000, 24_000];

/** Return the name of the deal that a room plays next, or '' if it has no number. @param {RoomView} room */
export function dealOf({ code, settings, next_game: game }) {
  if (settings.deal !== 'numbered' || settings.number === null || game === null) return '';
  const { number, layout, auto_remove, relaxed_deal, exceptions } = settings;
  return [code, settings.game, number, game, layout, auto_remove, relaxed_deal, exceptions].join();
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

/** Bind the line about the deal. */
function bindDealLabel() {
  const element = h('p', { class: 'text-small', id: 'deal-label', hidden: true });
  let deal = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Ask about a deal, and again while it is searched. @param {string} code @param {string} about @param {number} asked how often it was asked before */
  async function ask(code, about, asked) {
    const found = await fetchDeal(code);
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
