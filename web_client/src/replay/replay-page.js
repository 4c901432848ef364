// A finished race, shown again by the chart and the replay, which share one time.

import { strings } from '../core/language.js';
import { h } from '../shared/element.js';
import { bindChart } from './chart.js';
import { lengthOf } from './course.js';
import { fetchRound } from './finished-rounds.js';
import { advance, playbackAtEnd, seek } from './playback.js';
import { bindReplay } from './replay.js';

/** @import {RoundId} from './finished-rounds.js' */

/** Bind the page, which is empty until it shows a round. */
export function bindReplayPage() {
  let playback = playbackAtEnd(1);
  let frame = 0;
  let frameAt = 0;
  /** @type {RoundId | null} */
  let shown = null;
  const chart = bindChart(seekTo);
  const replay = bindReplay(changePlayback, seekTo);
  const loading = h('p', { class: 'panel', text: strings.REPLAY.loading });
  const element = h('div', { class: 'replay-page', id: 'replay-page' }, loading);

  /** Change the playback and show it; request a frame while it plays. @param {(old: typeof playback) => typeof playback} change */
  function changePlayback(change) {
    playback = change(playback);
    chart.setTime(playback.ms);
    replay.update(playback);
    if (playback.playing && !frame) {
      frameAt = performance.now();
      frame = requestAnimationFrame(drawFrame);
    }
  }

  /** Set the time. @param {number} ms */
  function seekTo(ms) {
    changePlayback((old) => seek(old, ms));
  }

  /** Advance the playback by the time since the last frame. */
  function drawFrame() {
    const now = performance.now();
    const passed = now - frameAt;
    frameAt = now;
    frame = 0;
    changePlayback((old) => advance(old, passed));
  }

  /** Show a round, or that it cannot be fetched. @param {RoundId} roundId @param {number} me this player's seat, or -1 */
  async function show(roundId, me) {
    shown = roundId;
    element.replaceChildren(loading);
    const round = await fetchRound(roundId).catch(() => null);
    if (shown !== roundId) return;
    if (!round) {
      const again = h('button', { type: 'button', text: strings.REPLAY.again });
      again.addEventListener('click', () => show(roundId, me));
      element.replaceChildren(h('p', { class: 'panel', text: strings.REPLAY.failed }), again);
      return;
    }
    element.replaceChildren(chart.element, replay.element);
    playback = playbackAtEnd(lengthOf(round));
    chart.show(round, me);
    replay.show(round, me);
    changePlayback((old) => old);
  }

  return {
    element,
    show,
    unbind() {
      shown = null;
      cancelAnimationFrame(frame);
      chart.unbind();
      replay.unbind();
    },
  };
}
