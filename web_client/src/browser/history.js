// The history of this browser's races and days. It never leaves the browser.

import { addEntry, entriesInFile, entriesOf, rowsOf } from '../state/entries.js';
import { keep, kept } from './storage.js';

export { closedEntry, hasFinished, isOpen, streakOf } from '../state/entries.js';

/** @import {Entry} from '../state/entries.js' */

/** The entries that this page has added, by id. Another tab may overwrite the history without having seen them. @type {Map<string, Entry>} */
const added = new Map();

/** Return whether this browser can store anything: its storage may be switched off, or full. */
export function canStore() {
  const probe = 'spider-race.probe';
  try {
    localStorage.setItem(probe, ' '.repeat(1_000)); // longer than most entries
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}

/** Return the stored entries, newest first. @returns {Entry[]} */
export const keptEntries = () => entriesOf(kept('history'));

/** Store an entry, or replace the one with its id, unless the history was deleted since. @param {Entry} entry */
export function keepEntry(entry) {
  if (entry.at > kept('forgotten')) add([entry]);
}

/** Add the entries of a saved file; return how many are new, or null if it is another kind of file. @param {string} text its JSON */
export function readEntries(text) {
  const known = new Set(keptEntries().map(({ id }) => id));
  const found = entriesInFile(text, Date.now());
  if (!found) return null;
  add(found.filter(({ id }) => !known.has(id)));
  return keptEntries().filter(({ id }) => !known.has(id)).length;
}

/** Add entries. The first time, ask the browser not to clear its storage. @param {readonly Entry[]} entries */
function add(entries) {
  if (added.size === 0) {
    window.addEventListener('storage', restore);
    navigator.storage?.persist?.().catch(() => {}); // some browsers ask the player
  }
  for (const entry of entries) added.set(entry.id, entry);
  write(entries);
}

/** Return whether another tab has changed the entries, or cleared the storage (no key). @param {StorageEvent} event */
export const isHistoryChange = ({ key }) => key === null || key.endsWith('.history');

/** Delete the history. `forgotten` has the time of its newest entry, so that no tab stores the deleted ones again. */
export function forgetEntries() {
  added.clear();
  keep('forgotten', Math.max(kept('forgotten'), ...keptEntries().map(({ at }) => at)));
  keep('history', []);
  keep('duels', []);
}

/** Store entries, unless they are already there. @param {Iterable<Entry>} entries */
function write(entries) {
  const before = keptEntries();
  const after = [...entries].reduce(addEntry, before);
  if (JSON.stringify(rowsOf(after)) !== JSON.stringify(rowsOf(before)))
    keep('history', rowsOf(after));
}

/** Store this page's entries again if another tab has overwritten the history, but not if it was deleted. @param {StorageEvent} event */
function restore(event) {
  if (!isHistoryChange(event)) return;
  if (keptEntries().length === 0) added.clear(); // the player has deleted it in another tab
  write(added.values());
}
