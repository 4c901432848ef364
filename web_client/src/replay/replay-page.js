// A race told again: the chart and the replay, which share one time.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { bindChart } from './chart.js';
import { lengthOf } from './course.js';
import { fetchRound } from './finished-rounds.js';
import { atEnd, pass, seek } from './playback.js';
import { bindReplay } from './replay.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Place} from './finished-rounds.js'
 */

export function bindRetelling() {
  let playback = atEnd(1);
  let frame = 0;
  let frameAt = 0;
  /** @type {Place | null} */
  let wanted = null;
  const chart = bindChart(to);
  const replay = bindReplay(change, to);
  const waiting = h('p', { class: 'panel waiting', text: strings.REPLAY.loading });
  const element = h('div', { class: 'retelling', id: 'retelling' }, waiting);

  /** @param {(old: typeof playback) => typeof playback} how */
  function change(how) {
    playback = how(playback);
    chart.at(playback.ms);
    replay.update(playback);
    if (playback.playing && !frame) {
      frameAt = performance.now();
      frame = requestAnimationFrame(run);
    }
  }

  /** @param {number} ms */
  function to(ms) {
    change((old) => seek(old, ms));
  }

  function run() {
    const now = performance.now();
    const passed = now - frameAt;
    frameAt = now;
    frame = 0;
    change((old) => pass(old, passed));
  }

  return {
    element,
    /**
     * @param {Place} place
     * @param {number} me this player's seat, or -1
     * @returns {Promise<RoundCourse | null>} null if it cannot be had
     */
    async show(place, me) {
      wanted = place;
      element.replaceChildren(waiting);
      const round = await fetchRound(place).catch(() => null);
      if (wanted !== place) return null;
      if (!round) {
        const again = h('button', { type: 'button', text: strings.REPLAY.again });
        again.addEventListener('click', () => this.show(place, me));
        element.replaceChildren(h('p', { class: 'panel', text: strings.REPLAY.failed }), again);
        return null;
      }
      element.replaceChildren(chart.element, replay.element);
      playback = atEnd(lengthOf(round));
      chart.show(round, me);
      replay.show(round, me);
      change((old) => old);
      return round;
    },
    unbind() {
      wanted = null;
      cancelAnimationFrame(frame);
      chart.unbind();
      replay.unbind();
    },
  };
}
