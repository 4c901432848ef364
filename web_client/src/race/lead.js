// The leader: a word beside the player's place, and a line over the leaderboard. The leaderboard reports
// a change of the lead at most once a second, with a sound and a vibration; the place in the header changes
// with it. Screen readers get the change from the status line.

import { winsForCertain } from '../state/first-home.js';
import { leader } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, restartAnimation, write } from '../widgets/element.js';
import { seatMark } from '../widgets/marks.js';

/**
 * @import {Settings, Standing} from '../contract/messages.d.ts'
 * @import {Sound} from '../browser/sound.js'
 * @import {Colours} from '../state/seat-colours.js'
 * @import {LeadCue} from '../state/sound-cues.js'
 * @typedef {ReturnType<typeof bindLead>} Lead
 */

/** Make a place for the name of the leader and a word. @param {string} id */
function makeWords(id) {
  const mark = seatMark('');
  const name = h('bdi', { class: 'text-cut' });
  const word = h('span');
  const element = h(
    'span',
    { class: 'lead', id, 'data-nobody': true, 'aria-hidden': 'true' },
    mark,
    name,
    word,
  );
  return { element, mark, name, word };
}

/** Bind the words. @param {Pick<Sound, 'play'>} sound @param {() => void} shown is called when other standings are shown */
export function bindLead(sound, shown) {
  const places = [makeWords('lead'), makeWords('lead-line')];
  const [word, line] = places.map(({ element }) => element);
  const title = h('span', { class: 'lead-title', text: strings.STANDINGS });
  /** @type {readonly Standing[]} */
  let latest = [];

  return {
    /** The word for the header. */
    word: /** @type {HTMLElement} */ (word),
    /** The line, with a title while nobody leads. */
    line: h('div', { class: 'lead-place' }, line, title),
    /** Return the standings that are shown. */
    standings: () => latest,
    /**
     * Show who leads, or has won.
     * @param {readonly Standing[]} standings best first
     * @param {number} me this player's seat, or -1
     * @param {Colours} colours
     * @param {Pick<Settings, 'ranking' | 'cheats'> | undefined} settings
     * @param {LeadCue | null} cue of a change
     */
    show(standings, me, colours, settings, cue) {
      latest = standings;
      const leading = leader(standings);
      const isOwn = leading?.seat === me;
      const somebody = leading && leading.score > 0 ? leading : undefined;
      const { own, other, ownWin, otherWins } = strings.LEAD;
      const words = winsForCertain(leading, settings) ? [ownWin, otherWins] : [own, other];
      for (const { element, mark, name, word: verb } of places) {
        element.toggleAttribute('data-nobody', !somebody);
        if (!somebody) continue;
        mark.dataset.colour = colours(somebody.seat);
        write(name, isOwn ? '' : somebody.name);
        write(verb, words[isOwn ? 0 : 1] ?? '');
        if (!cue) continue;
        element.dataset.change = cue;
        restartAnimation(element, 'data-changed');
      }
      // A leader who has just won has a sound already, that of the win.
      if (cue && !leading?.won) sound.play(cue);
      shown();
    },
  };
}
