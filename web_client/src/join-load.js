// The load of the page of a link, and of a missing room or page: what the front page does without. The document
// of a link preloads it, so that it waits for nothing else.

import { bindJoin, bindMissing } from './landing/join.js';

export const SCREENS = { join: bindJoin, missing: bindMissing };
