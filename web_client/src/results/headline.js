// The head of the results: who has won, and by how much. A player who has not won reads the own place and
// the distance. Below stands what was decisive, or else when the race was decided.

import { decisionOf, decisiveOf, rivalsOf, turnedUpAt } from '../replay/decision.js';
import { fetchReplay } from '../replay/finished-rounds.js';
import { photoFinish } from '../state/first-home.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { placeOf, winningMargin } from './margin.js';

/**
 * @import {RoundCourse, Standing} from '../contract/messages.d.ts'
 * @import {Rules} from './margin.js'
 * @typedef {object} Result a finished round
 * @property {readonly Standing[]} ranking
 * @property {readonly number[]} winners
 * @typedef {{text: string, ms: number | null}} Decided `ms` is the moment to show
 */

/**
 * Return the heading of a finished round. The winners come from the server: nobody wins by giving up.
 * @param {Result} round
 * @param {number} me this player's seat, or -1
 * @param {number} [number] of the round in its match, if that has several
 */
export function heading({ ranking, winners }, me, number) {
  const names = ranking.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  return strings.verdict(names, {
    alone: ranking.length === 1,
    home: ranking[0]?.won ?? false,
    won: winners.includes(me),
    round: number,
  });
}

/**
 * Return the photo finish of a round, for one of its two players or a spectator; null for others.
 * @param {Result} round
 * @param {number} me this player's seat, or -1
 * @param {Rules} rules
 */
export function photoFinishOf({ ranking, winners }, me, rules) {
  const photo = winners.length === 1 ? photoFinish(ranking, rules) : null;
  const isThird = ranking.some(({ seat, place }) => seat === me && (place ?? 0) > 2);
  return isThird ? null : photo;
}

/**
 * Return the sentence on how far the winner was ahead, or this player behind; '' if there is no winner.
 * @param {Result} round
 * @param {number} me this player's seat, or -1
 * @param {Rules} rules
 */
export function distance({ ranking, winners }, me, rules) {
  const photo = photoFinishOf({ ranking, winners }, me, rules);
  if (photo) return strings.PHOTO_FINISH + strings.photoBy(photo, me);
  const own = placeOf(ranking, winners, me, rules);
  if (own) return strings.ownPlace(own);
  const first = winningMargin(ranking, winners, rules);
  const winner = first?.winner ?? (ranking.length === 1 ? ranking[0] : undefined);
  const time = winner?.won ? winner.finished_ms : null;
  return strings.winningMargin(time, first?.margin ?? null, first?.second.name ?? '');
}

/**
 * Return what decided a round, in a sentence; null if nothing did.
 * @param {RoundCourse} round
 * @param {number} me this player's seat, or -1
 * @returns {Promise<Decided | null>}
 */
async function decidedIn(round, me) {
  const pair = rivalsOf(round, me);
  const id = { code: round.room, n: round.n };
  /** @type {Map<number, number | null>} */
  const turned = new Map();
  // Only the games of two players who are home are needed, which the replay shows anyway.
  for (const { seat, won } of pair?.rival.won ? [pair.winner, pair.rival] : [])
    if (won) turned.set(seat, turnedUpAt(await fetchReplay(id, String(seat))));
  const decisive = decisiveOf(round, me, (seat) => turned.get(seat) ?? null);
  const decision = decisionOf(round);
  if (decisive) {
    const { seat } = decisive.winner;
    const text = strings.decisive(decisive, me);
    const ms = (decisive.kind === 'turned' && turned.get(seat)) || decision?.ms || null;
    return { text, ms: decisive.kind === 'idle' ? null : ms };
  }
  const name = round.courses.find(({ seat }) => seat === decision?.seat)?.name ?? '';
  return decision && { text: strings.decided(decision, name), ms: decision.ms };
}

/**
 * Bind an empty head.
 * @param {string} text of the heading
 * @param {(ms: number) => void} goTo shows a moment of the race
 * @param {...HTMLElement} more lines
 */
export function bindHeadline(text, goTo, ...more) {
  const title = h('h1', { id: 'winner', text });
  const margin = h('p', { class: 'headline-margin', id: 'margin', hidden: true });
  const decided = h('span');
  const see = h('button', { class: 'headline-see', 'data-kind': 'quiet', id: 'decided-see' });
  const line = h(
    'p',
    { class: 'headline-decided', id: 'decided', hidden: true },
    decided,
    ' ',
    see,
  );
  see.textContent = strings.RESULTS.see;
  let decidedMs = 0;
  /** @type {RoundCourse | null} */
  let shown = null;
  see.addEventListener('click', () => goTo(decidedMs));
  const element = h('div', { class: 'headline' }, title, margin, line, ...more);
  return {
    element,
    /** Show who has won, and by how much. @param {string} verdict @param {string} by */
    update(verdict, by) {
      write(title, verdict);
      write(margin, by);
      margin.hidden = by === '';
    },
    /** Return the same in sentences. */
    spoken: () =>
      [title.textContent, margin.textContent]
        .flatMap((words) => words || [])
        .map((words) => (/[.!?]$/.test(words) ? words : `${words}.`))
        .join(' '),
    /** Keep a place for the decision, if there may be one. @param {boolean} mayCome */
    awaitDecision(mayCome) {
      shown = null;
      line.hidden = !mayCome;
      line.toggleAttribute('data-empty', true);
    },
    /**
     * Show what decided the round, if its place is kept and that is known.
     * @param {RoundCourse} round
     * @param {number} me this player's seat, or -1
     */
    async setCourse(round, me) {
      shown = round;
      const told = line.hidden ? null : await decidedIn(round, me).catch(() => null);
      if (shown !== round) return;
      line.toggleAttribute('data-empty', !told);
      if (!told) return;
      decidedMs = told.ms ?? 0;
      see.hidden = told.ms === null;
      write(decided, told.text);
    },
  };
}
