// The kept tables of this browser on the front page: who is there now, and the way to this player's seat.

import { forgetRoom, holdSeat, keptTables } from '../browser/storage.js';
import { isolated } from '../contract/notation.js';
import { fetchInvitation } from '../page/addresses.js';
import { keepFetching } from '../page/loads.js';
import { strings } from '../strings/language.js';
import { h, set, write } from '../widgets/element.js';

/** @import {App} from '../page/app.d.ts' */

const POLL_MS = 30_000;
const DAY_MS = 86_400_000;
/** How many tables are shown before the player asks for all. */
const FEW = 3;

/** Return how many midnights have passed since a time; null without one. @param {number | undefined} ms */
const daysSince = (ms) =>
  ms === undefined ? null : Math.floor(Date.now() / DAY_MS) - Math.floor(ms / DAY_MS);

/** Make the row of a table. @param {App} app @param {ReturnType<typeof keptTables>[number]} table */
function makeTable(app, { code, name, raced }) {
  const about = h('small', { class: 'text-note', text: strings.tableAbout([], daysSince(raced)) });
  const words = h(
    'span',
    { class: 'grow' },
    h('b', {}, h('bdi', { text: name })),
    ' ',
    h('br'),
    about,
  );
  const looks = { class: 'line landing-row', 'data-small': true, 'data-table': code };
  const element = h('button', { ...looks, onclick: () => app.visit(code) }, words);
  let isGone = false;
  /** Show who is there; a table that does not exist any more is said to be gone, once. */
  async function update() {
    if (isGone) return;
    const found = await fetchInvitation(code);
    if (found === undefined) return; // nobody knows
    isGone = !found?.kept;
    if (found === null) {
      forgetRoom(code);
      element.replaceWith(
        h('p', { class: 'text-small', role: 'status', text: strings.tableGone(name) }),
      );
    } else if (!found.kept) {
      holdSeat(code, undefined);
      element.remove();
    } else {
      const here = (found.here ?? []).map(isolated);
      write(about, strings.tableAbout(here, daysSince(raced)));
      set(about, { 'data-live': here.length > 0 });
    }
  }
  return { element, update };
}

/** Bind the tables, the one of the latest race first. @param {App} app */
export function bindTables(app) {
  const tables = keptTables().map((each) => makeTable(app, each));
  const rows = tables.map((each) => each.element);
  const { tables: name, all } = strings.LANDING;
  const others = h('div', { class: 'stack' }, ...rows.slice(FEW));
  const more = rows.length > FEW && h('details', {}, h('summary', { text: all }), others);
  const label = { class: 'stack', id: 'tables', 'aria-label': name, hidden: rows.length === 0 };
  const element = h('section', label, ...rows.slice(0, FEW), more);
  const fetchAll = () => Promise.all(tables.map(({ update }) => update()));
  const fetching = keepFetching(fetchAll, () => (rows.length > 0 ? POLL_MS : 0));
  return { element, unbind: fetching.stop };
}
