// A finished race shown again: the chart and the replay, which share one time.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { bindChart } from './chart.js';
import { lengthOf } from './course.js';
import { fetchRound } from './finished-rounds.js';
import { atEnd, pass, seek } from './playback.js';
import { bindReplay } from './replay.js';

/** @import {Place} from './finished-rounds.js' */

/** Bind the page, which is empty until it shows a round. */
export function bindReplayPage() {
  let playback = atEnd(1);
  let frame = 0;
  let frameAt = 0;
  /** @type {Place | null} */
  let wanted = null;
  const chart = bindChart(seekTo);
  const replay = bindReplay(change, seekTo);
  const loading = h('p', { class: 'panel', text: strings.REPLAY.loading });
  const element = h('div', { class: 'replay-page', id: 'replay-page' }, loading);

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
  function seekTo(ms) {
    change((old) => seek(old, ms));
  }

  function run() {
    const now = performance.now();
    const passed = now - frameAt;
    frameAt = now;
    frame = 0;
    change((old) => pass(old, passed));
  }

  /** Show a round, or that it cannot be fetched. @param {Place} place @param {number} me this player's seat, or -1 */
  async function show(place, me) {
    wanted = place;
    element.replaceChildren(loading);
    const round = await fetchRound(place).catch(() => null);
    if (wanted !== place) return;
    if (!round) {
      const again = h('button', { type: 'button', text: strings.REPLAY.again });
      again.addEventListener('click', () => show(place, me));
      element.replaceChildren(h('p', { class: 'panel', text: strings.REPLAY.failed }), again);
      return;
    }
    element.replaceChildren(chart.element, replay.element);
    playback = atEnd(lengthOf(round));
    chart.show(round, me);
    replay.show(round, me);
    change((old) => old);
  }

  return {
    element,
    show,
    unbind() {
      wanted = null;
      cancelAnimationFrame(frame);
      chart.unbind();
      replay.unbind();
    },
  };
}
