// The chart and the replay of a finished round.

import { clock, count } from './start.js';

export const CHART = {
  title: 'Punkte im Verlauf',
  moment: 'Zeitpunkt im Rennen',
  table: 'Die Punkte als Tabelle',
  player: 'Name',
  end: 'Ende',
};

/** Return the scores at a time in a sentence. @param {number} ms @param {readonly {name: string, score: number}[]} scores */
export const chartAt = (ms, scores) =>
  `${clock(ms)}: ${scores.map(({ name, score }) => `${name} ${score}`).join(', ')}`;

/**
 * Return the text alternative of the chart.
 *
 * @param {number} ms how long the race was
 * @param {number} changes of lead
 * @param {string} last who led at the end
 * @param {number} lines how many are drawn of `players`
 * @param {number} players
 */
export function chartSummary(ms, changes, last, lines, players) {
  const lead =
    players < 2 || !last
      ? ''
      : changes === 0
        ? ` ${last} hat von Anfang bis Ende geführt.`
        : ` Die Führung hat ${changes === 1 ? 'einmal' : `${changes}-mal`} gewechselt; am Ende hatte sie ${last}.`;
  const few = lines < players ? ` Gezeigt werden ${lines} von ${players} Spielern.` : '';
  return `Das Rennen hat ${clock(ms)} gedauert.${lead}${few}`;
}

export const REPLAY = {
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
  };
  return `${clock(ms)} ${what[kind] ?? name}`;
}

/** @param {string} name */
export const enlarge = (name) => `Tisch von ${name} vergrößern`;

/** Return the figures of a board. @param {{score: number, counts: {moves: number, suits: number, face_down: number}}} table */
export const figures = ({ score, counts: { moves, suits, face_down } }) =>
  `${count(score, 'Punkt', 'Punkte')} · ${count(moves, 'Zug', 'Züge')} · ${face_down} verdeckt · ${count(suits, 'Farbe', 'Farben')}`;
