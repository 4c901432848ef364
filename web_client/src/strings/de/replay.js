// The chart and the replay of a finished round.

import { clock, count, list } from './start.js';

/** @import {GameReview} from '../../contract/messages.d.ts' */

export const CHART = {
  title: 'Punkte im Verlauf',
  moment: 'Zeitpunkt im Rennen',
  table: 'Die Punkte als Tabelle',
  player: 'Name',
  end: 'Ende',
  known: 'Bis hier war ein Sieg bekannt',
};

/** Return the scores at a time in a sentence. @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * Return the text alternative of the chart.
 * @param {number} ms the length of the race, round or practice game
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last || changes === 0 // der Kopf der Ergebnisse sagt es
      ? ''
      : ` Die Führung hat ${changes === 1 ? 'einmal' : `${changes}-mal`} gewechselt; am Ende hatte sie ${last}.`;
  const few = lines < players ? ` Gezeigt werden ${lines} von ${players} Spielern.` : '';
  return `Dauer: ${clock(ms)}.${lead}${few}`;
}

/** The name of a program where its mark does not fit. @param {string} name */
export const programNamed = (name) => `${name} (Programm)`;

export const REPLAY = {
  wins: 'Verpasste Siege',
  playWin: 'Sieg abspielen',
  knownWin: 'Ein bekannter Weg zum Sieg',
  title: 'Wiederholung',
  left: 'Tisch links',
  right: 'Tisch rechts',
  play: 'Abspielen',
  pause: 'Anhalten',
  back: 'Voriger Zug',
  on: 'Nächster Zug',
  before: 'Voriger Moment',
  after: 'Nächster Moment',
  at: 'Zeit im Rennen',
  speed: 'Tempo',
  moments: 'Momente des Rennens',
  keys: 'Tasten: Leertaste spielt ab und hält an, ← und → gehen von Zug zu Zug, Bild auf und ab von Moment zu Moment, + und − ändern das Tempo.',
  loading: 'Rennen wird geladen…',
  failed: 'Das Rennen konnte nicht geladen werden.',
  again: 'Noch einmal versuchen',
  dealt: 'Die Karten, wie sie ausgeteilt wurden.',
  cut: 'Dieses Spiel ist sehr lang: Die Züge vor dem Ende sind ausgelassen.',
};

/** @param {number} ms @param {number} length */
export const timeOf = (ms, length) => `${clock(ms)} von ${clock(length)}`;

/** Return a speed. @param {number} factor */
export const times = (factor) => `${factor === 0.5 ? '½' : factor}×`;

/** Return what happened at a moment of a race. @param {{ms: number, kind: string, n: number}} moment @param {string} name */
export function moment({ ms, kind, n }, name) {
  /** @type {Record<string, string>} */
  const what = {
    lead: `${name} führt`,
    suit: `${name}: ${n}. Farbe`,
    home: `${name} ist im Ziel`,
    end: `${name} hört auf`,
    quit: `${name} gibt auf`,
    missed: `${name} verlässt den bekannten Sieg`,
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** Return until when a game could have been won, as a review has found out. @param {GameReview} game */
export function reviewLine({ known_ms: known, to_the_end: toTheEnd, lost_ms: lost }) {
  if (toTheEnd) return 'ein Sieg war noch möglich';
  if (known !== null) return `bis ${clock(known)} war ein Sieg bekannt`;
  return lost === null ? 'kein Sieg gefunden' : noneSince(lost);
}

/** Return from when on a game was lost. @param {number} ms */
const noneSince = (ms) => `ab ${clock(ms)} gab es keinen Sieg mehr`;

/** Return all that a review has found out about a player's game. @param {GameReview} game */
export function reviewOf(game) {
  const { name, known_ms: known, lost_ms: lost } = game;
  const later = known === null || lost === null || lost === known ? '' : `, ${noneSince(lost)}`;
  const line =
    lost !== null && lost === known ? `bis ${clock(lost)} war ein Sieg möglich` : reviewLine(game);
  return `${name}: ${line}${later}.`;
}

/** Return the name of a player's last known win. @param {GameReview} game */
export const winOption = ({ name, known_ms: known }) => `${name}: der Sieg ab ${clock(known ?? 0)}`;

/** Return what is said while a review is made, and of the games that have none. @param {boolean} running @param {readonly string[]} missing */
export function reviewNote(running, missing) {
  if (running) return 'Verpasste Siege werden gesucht…';
  return missing.length > 0 ? `Nicht durchsucht: ${list(missing)}.` : '';
}

/** @param {string} name */
export const enlarge = (name) => `Tisch von ${name} vergrößern`;

/** Return the figures of a board. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')} · ${face_down} verdeckt · ${count(suits, 'Farbe', 'Farben')}`;
