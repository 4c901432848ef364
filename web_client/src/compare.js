// After the race: the boards of any two players side by side, and the others’ below.

import { h } from './element.js';
import { strings } from './language.js';
import { bindMiniature } from './miniature.js';
import { bindGrid } from './wall.js';
import { MOST, makeAsking, watchable } from './watching.js';

/**
 * @import {Standing} from './protocol.d.ts'
 * @import {State} from './reducer.js'
 * @import {App} from './main.js'
 */

const SIDES = /** @type {const} */ (['left', 'right']);

/** @param {App} app */
export function bindCompare(app) {
  const sides = SIDES.map((side, i) => {
    const select = h('select', { id: `board-${side}`, 'aria-label': strings.RESULTS[side] });
    const board = bindMiniature();
    const element = h('div', { class: 'side-by' }, select, board.element);
    select.addEventListener('change', () => update(app.state()));
    return { select, board, element, first: i };
  });
  const grid = bindGrid();
  const names = { class: 'panel compare', id: 'boards', 'aria-labelledby': 'boards-title' };
  const element = h(
    'section',
    names,
    h('h2', { id: 'boards-title', text: strings.RESULTS.boards }),
    h('div', { class: 'pair' }, ...sides.map((side) => side.element)),
    grid.element,
  );
  const asking = makeAsking(app.say);
  let offered = '';

  /** @param {readonly Standing[]} standings */
  function offer(standings) {
    const key = standings.map(({ seat, name }) => `${seat} ${name}`).join();
    if (key === offered) return;
    offered = key;
    for (const { select, first } of sides) {
      const options = standings.map(({ seat, name }) => h('option', { value: seat, text: name }));
      select.replaceChildren(...options);
      select.selectedIndex = Math.min(first, standings.length - 1);
    }
  }

  /** @param {State} state */
  function update(state) {
    const standings = watchable(state);
    element.hidden = standings.length === 0;
    offer(standings);
    const chosen = standings.length > 0 ? sides.map(({ select }) => Number(select.value)) : [];
    const seats = [...new Set([...chosen, ...standings.map(({ seat }) => seat)])].slice(0, MOST);
    asking.update(state, seats);
    sides.forEach(({ board, element: side, first }, i) => {
      side.hidden = standings.length <= first;
      if (!side.hidden) board.update(state.boards[chosen[i] ?? -1]);
    });
    const others = standings.filter(({ seat }) => seats.includes(seat) && !chosen.includes(seat));
    grid.update(others, state.boards);
  }

  return {
    element,
    update,
    unbind() {
      asking.end(app.state());
      for (const { board } of sides) board.unbind();
      grid.unbind();
    },
  };
}
