// The gate of today's race, which a player sees before the one try.

import { canStore } from '../browser/history.js';
import { kept, prefer, preference } from '../browser/storage.js';
import { bestOfYesterday } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { makeNameField, makeRadios, spiderCoin } from '../widgets/controls.js';
import { h, set, write } from '../widgets/element.js';
import { FULL } from './days.js';
import { makeGate } from './gate.js';

/**
 * @import {Days} from '../contract/messages.d.ts'
 * @import {Lane} from './gate.js'
 */

/** How long a game usually takes. @type {Record<string, number>} */
const MINUTES = { 'spider-1': 5, 'spider-2': 9, 'spider-4': 15 };

/** Return the lanes of the player, and of the chosen computer player. @returns {Lane[]} */
function lanesOf() {
  const { you, ghost } = strings.GATE;
  const level = preference('pace');
  const own = { name: you, colour: 'blue' };
  if (level === 'nobody') return [own];
  const name = strings.STRENGTHS[level];
  return [own, { name, small: ghost, colour: 'violet', level, isGhost: true }];
}

/** Make the choice of who runs beside the player. @param {() => void} changed */
function makePaces(changed) {
  const { beside, nobody } = strings.GATE;
  const makeSample = (/** @type {string} */ level) =>
    h('i', { 'data-ghost': level === 'nobody' }, spiderCoin(level));
  const how = { class: 'choice gate-choice', makeSample };
  const choice = makeRadios('pace', beside, { nobody, ...strings.STRENGTHS }, how);
  choice.querySelector(`[value=${preference('pace')}]`)?.toggleAttribute('checked', true);
  choice.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) prefer('pace', /** @type {any} */ (target.value));
    changed();
  });
  return choice;
}

/**
 * Make the gate of a game of today's race.
 * @param {{day: string, game: string}} address
 * @param {(name: string) => void} begin gets the name, '' if there is none
 */
export function makeDayGate({ day, game }, begin) {
  const words = strings.GATE;
  const name = makeNameField(words.name);
  set(name.input, { required: false, placeholder: strings.LANDING.nameless });
  const title = h('h1', { id: 'winner', text: strings.LANDING.today });
  const left = h('span', { class: 'pill', id: 'day-left' });
  const date = h('p', { text: strings.dayDate(day, FULL) });
  const facts = [date, h('b', { text: strings.suitsOf(game) }), left];
  const about = h('b', { id: 'about' });
  const best = h('span', { id: 'day-best' });
  const lost = !canStore() && h('p', { class: 'field-problem', id: 'day-lost', text: words.lost });
  const fields = [
    h('b', { 'aria-hidden': 'true', text: words.beside }),
    makePaces(() => gate.showLanes(lanesOf())),
    h('p', { class: 'text-note', text: words.about }),
    !kept('name') && name.element,
    lost,
  ];
  const once = h('b', { text: strings.gateOnce(MINUTES[game] ?? 0) });
  const note = h('p', {}, once, ' ', words.clock);
  const looks = { id: 'day-play', 'data-kind': 'primary', 'data-size': 'big', text: words.start };
  const start = h('button', { ...looks, onclick: () => begin(name.typed()) });
  const below = [about, best];
  const gate = makeGate({ title, facts, lanes: lanesOf(), fields, about: below, note, start });
  return {
    element: gate.element,
    /** Show what may change. @param {string} said how many play, or why that is not known @param {string} time that is left @param {boolean} isOpen whether the game can begin */
    draw(said, time, isOpen) {
      write(about, said);
      set(left, { hidden: time === '', text: time });
      set(start, { hidden: !isOpen });
    },
    /** Show yesterday's best. @param {Days} days */
    async showBest(days) {
      best.replaceChildren(...(await bestOfYesterday(days, game)));
    },
  };
}
