// Imported by tests of modules that show sentences: from then on they show English ones.

import { fetchStrings, speak } from '../../web_client/src/strings/language.js';

await speak('en');
await fetchStrings('race', 'after');
