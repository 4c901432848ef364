// Every run of tests starts with this module, which loads the English sentences.
//
// It fails a run if a test file was not evaluated to its end. Without isolation, Node ignores an error that a file throws
// after its first test, and drops the tests below.

import { registerHooks } from 'node:module';
import { fetchStrings, speak } from '../../web_client/src/strings/language.js';

/** The test files that have started and not reached their end. @type {Set<string>} */
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
