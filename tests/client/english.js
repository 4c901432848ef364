// Imported by tests of modules that show sentences: from then on they show English ones.

import { readdirSync } from 'node:fs';
import { fetchStrings, speak } from '../../web_client/src/strings/language.js';

const FOLDER = new URL('../../web_client/src/strings/en/', import.meta.url);
/** Sentences that their features load by themselves. */
const OWN = ['classic', 'strategy'];

const FEATURES = readdirSync(FOLDER)
  .map((file) => file.replace('.js', ''))
  .filter((feature) => !OWN.includes(feature))
  // As in the page, other features come later, and replace some of its sentences.
  .toSorted((a, b) => Number(b === 'start') - Number(a === 'start'));

export async function catalogue(language) {
  const folder = new URL(`../${language}/`, FOLDER);
  const files = FEATURES.map((feature) => import(new URL(`${feature}.js`, folder).href));
  return Object.assign({}, ...(await Promise.all(files)));
}

await speak('en');
await fetchStrings(...FEATURES);
