// Imported by tests of modules that show sentences: from then on they show English ones.

import { fetchStrings, speak } from '../../web_client/src/strings/language.js';

export async function catalogue(language) {
  const folder = new URL(`../../web_client/src/strings/${language}/`, import.meta.url);
  const loads = ['start', 'race', 'after'];
  const files = await Promise.all(loads.map((load) => import(new URL(`${load}.js`, folder).href)));
  return Object.assign({}, ...files.map((file) => file.default ?? file));
}

await speak('en');
await fetchStrings('race', 'after');
