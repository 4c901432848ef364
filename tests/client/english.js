// Imported by tests of what speaks: from then on it speaks English.

import { speak } from '../../web_client/src/core/language.js';

await speak('en');
