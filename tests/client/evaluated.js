// What every run of tests begins with: the sentences are there, in English.
//
// It fails a run in which a test file was not evaluated to its end: without isolation, Node drops what a file
// throws once it has registered a test, and the tests below with it.

import { registerHooks } from 'node:module';
import { fetchStrings, speak } from '../../web_client/src/strings/language.js';

/** The files of tests that have begun, and not come to their end. @type {Set<string>} */
const begun = new Set();
Object.assign(globalThis, { begunTests: begun });

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('.test.js')) return loaded;
    begun.add(url);
    const source = `${loaded.source}\nbegunTests.delete(${JSON.stringify(url)});`;
    return { ...loaded, source };
  },
});

process.on('exit', () => {
  if (begun.size === 0) return;
  process.exitCode = 1;
  for (const url of begun) process.stderr.write(`${url} threw before its end\n`);
});

await speak('en');
await fetchStrings('race', 'after');
