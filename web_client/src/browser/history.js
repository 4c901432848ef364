// The own races and days as this browser keeps them. Nothing of them leaves it.

import { addEntry, entriesInFile, entriesOf, rowsOf } from '../state/entries.js';
import { keep, kept } from './storage.js';

export { closedEntry, hasFinished, isOpen, streakOf } from '../state/entries.js';

/** @import {Entry} from '../state/entries.js' */

/** What this page has added, by its id: a tab that writes at the same moment may not have seen it. @type {Map<string, Entry>} */
const added = new Map();

/** Return whether this browser stores anything: its storage may be switched off, or full. */
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

/** Return the entries that are kept, newest first. @returns {Entry[]} */
export const keptEntries = () => entriesOf(kept('history'));

/** Keep an entry, in place of one with the same id; one from before all were forgotten stays so. @param {Entry} entry */
export function keepEntry(entry) {
  if (entry.at > kept('forgotten')) add([entry]);
}

/**
 * Read a saved file: keep its entries, but for those that are here already.
 * @param {string} text
 * @returns {number | null} how many are new; null if it is no such file
 */
export function readEntries(text) {
  const known = new Set(keptEntries().map(({ id }) => id));
  const found = entriesInFile(text, Date.now());
  if (!found) return null;
  add(found.filter(({ id }) => !known.has(id)));
  return keptEntries().filter(({ id }) => !known.has(id)).length;
}

/** Add entries, and ask the browser once to keep what now could be lost. @param {readonly Entry[]} entries */
function add(entries) {
  if (added.size === 0) {
    window.addEventListener('storage', restore);
    navigator.storage?.persist?.().catch(() => {}); // some browsers ask the player
  }
  for (const entry of entries) added.set(entry.id, entry);
  write(entries);
}

/** Return whether another tab has changed the entries, or all that is stored. @param {StorageEvent} event */
export const isOfEntries = ({ key }) => key === null || key.endsWith('.history');

/** Forget all entries, in the other tabs, too. */
export function forgetEntries() {
  added.clear();
  keep('forgotten', Math.max(kept('forgotten'), ...keptEntries().map(({ at }) => at)));
  keep('history', []);
  keep('duels', []);
}

/** Write entries to those that are kept, unless they are there. @param {Iterable<Entry>} entries */
function write(entries) {
  const before = keptEntries();
  const after = [...entries].reduce(addEntry, before);
  if (JSON.stringify(rowsOf(after)) !== JSON.stringify(rowsOf(before)))
    keep('history', rowsOf(after));
}

/** Write what this page has added again, if another tab has written without it; an empty history was deleted. @param {StorageEvent} event */
function restore(event) {
  if (!isOfEntries(event)) return;
  if (keptEntries().length === 0) added.clear();
  write(added.values());
}
