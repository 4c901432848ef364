// A finished race, shown again by the chart and the replay, which share one time.

import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';
import { bindChart } from './chart.js';
import { fetchRound } from './finished-rounds.js';
import { advance, playbackAtEnd, seek } from './playback.js';
import { bindReplay } from './replay.js';
import { bySeat, followReview } from './review.js';
import { lengthOf } from './scores-over-time.js';

/**
 * @import {GameReview, RoundCourse} from '../contract/messages.d.ts'
 * @import {RoundId} from './finished-rounds.js'
 * @typedef {object} Listeners
 * @property {(round: RoundCourse, me: number) => void} onCourse gets the round that is shown, once it is
 *   fetched, and this player's seat, or -1
 * @property {(reviewed: ReadonlyMap<number, GameReview>) => void} onReview gets the games that were
 *   reviewed, by seat, whenever there are more
 */

/** Bind the page, which is empty until it shows a round. @param {Listeners} listeners */
export function bindReplayPage({ onCourse, onReview }) {
  let playback = playbackAtEnd(1);
  let frame = 0;
  let frameAt = 0;
  /** @type {RoundId | null} */
  let shown = null;
  let unfollow = () => {};
  const chart = bindChart(seekTo);
  const replay = bindReplay(changePlayback, seekTo);
  const loading = h('p', { class: 'panel', text: strings.REPLAY.loading });
  const element = h(
    'div',
    { class: 'replay-page', id: 'replay-page', 'data-loading': true },
    loading,
  );

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
    unfollow();
    element.replaceChildren(loading);
    element.toggleAttribute('data-loading', true);
    const round = await fetchRound(roundId).catch(() => null);
    if (shown !== roundId) return;
    element.removeAttribute('data-loading');
    if (!round) {
      const again = h('button', { text: strings.REPLAY.again, onclick: () => show(roundId, me) });
      element.replaceChildren(h('p', { class: 'panel', text: strings.REPLAY.failed }), again);
      return;
    }
    element.replaceChildren(chart.element, replay.element);
    playback = playbackAtEnd(lengthOf(round));
    chart.show(round, me);
    replay.show(round, me);
    changePlayback((old) => old);
    onCourse(round, me);
    unfollow = followReview(roundId, (review) => {
      const reviewed = bySeat(review);
      chart.setReview(reviewed);
      replay.setReview(review);
      onReview(reviewed);
    });
  }

  return {
    element,
    show,
    /** Stop at a time, and bring the chart into view. @param {number} ms */
    goTo(ms) {
      changePlayback((old) => ({ ...seek(old, ms), playing: false }));
      chart.element.scrollIntoView({ block: 'start' });
      chart.focus();
    },
    /** Play a player's last known win, and bring the boards into view. @param {GameReview} game */
    playWin(game) {
      replay.element.scrollIntoView({ block: 'start' });
      replay.playWin(game);
    },
    unbind() {
      shown = null;
      unfollow();
      cancelAnimationFrame(frame);
      chart.unbind();
      replay.unbind();
    },
  };
}
