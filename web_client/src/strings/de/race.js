// The race around the board: header, buttons, leaderboard and the boards of others.

import { suitsOf } from '../../core/cards.js';
import { cheats, clock, count, ordinal, result } from './start.js';

/**
 * @import {Standing} from '../../core/messages.d.ts'
 * @import {TableView} from '../../core/notation.js'
 * @import {RaceNews} from '../../core/race-news.js'
 * @import {State} from '../../core/reducer.js'
 */

export const KEEP_LOOKING = 'Weitersuchen';

/** Return what follows a player's name over the board. @param {Standing} standing */
export function standingShort(standing) {
  const rest = standing.state === 'RACING' ? '' : ` · ${result(standing, clock)}`;
  return ` · ${standing.score}${rest}`;
}

/** Return the label of a board in the grid. @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'Punkt', 'Punkte')}, ${standing.face_down} verdeckt, ${count(standing.suits, 'Farbe', 'Farben')} abgelegt. Vergrößern`;

/** Return how late boards are shown. @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0
    ? 'Die Tische sind live.'
    : `Die Tische sind um ${count(seconds, 'Sekunde', 'Sekunden')} verzögert.`;

export const HEADER = {
  time: 'Zeit',
  score: 'Punkte',
  moves: 'Züge',
  exceptions: 'Ausnahmen',
  hints: 'Tipps',
  faceDown: 'verdeckt',
  home: 'Farben',
  cardsHome: 'abgelegt',
  inStock: 'im Talon',
  cheats: 'gemogelt',
  mute: 'Stumm',
  colours: 'Kartenfarben',
  restart: 'Neu beginnen',
  restartLabel: 'Mit demselben Blatt neu beginnen',
  help: 'Hilfe und Tasten',
  forfeit: 'Aufgeben',
  chase: 'Mitspielen',
  chaseMore: ' ohne Wertung',
  chaseLabel: 'Dieses Blatt jetzt spielen, ohne Wertung und mit eigener Uhr, bis das Rennen endet',
  leave: 'Verlassen',
};

/** @param {number} ms */
export const timeLeft = (ms) => `noch ${clock(ms)}`;

export const RACE = {
  table: 'Tisch',
  acts: 'Züge',
  deal: 'Austeilen',
  dealSure: 'Sicher?',
  undo: 'Rückgängig',
  redo: 'Wiederholen',
  remove: 'Ablegen',
  finish: 'Aufhören',
  exception: 'Ausnahme',
  hint: 'Tipp',
  home: 'Du bist im Ziel!',
  gaveUp: 'Du hast aufgegeben',
  finished: 'Spiel vorbei',
};

/** Return the standings in a sentence. @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, seat, name, score }) => {
          const who = seat === me?.seat ? 'du' : name;
          return `${place ? `${ordinal(place)} ` : ''}${who}, ${score}`;
        })
        .join('; ')}.`
    : 'Noch keine Punkte.';

/** Return the score in a sentence. @param {TableView | undefined} view */
export function scoreSpoken(view) {
  if (!view) return 'Noch keine Karten ausgeteilt.';
  const { score, counts } = view;
  const exceptions =
    counts.exceptions > 0 ? `, ${count(counts.exceptions, 'Ausnahme', 'Ausnahmen')}` : '';
  const cheated = counts.cheats > 0 ? `, ${cheats(counts.cheats)}` : '';
  return `${count(score, 'Punkt', 'Punkte')}, ${count(counts.moves, 'Zug', 'Züge')}, ${count(counts.suits, 'Farbe', 'Farben')} abgelegt${exceptions}${cheated}.`;
}

/** Return that this player has won. @param {number} ms */
export const youWin = (ms) => `Du gewinnst! ${clock(ms)}`;

/** Return how many others still race, to a winner. @param {number} others */
export const stillRacing = (others) =>
  others > 0 ? `· ${others} noch im Rennen` : 'Gleich kommt das Ergebnis.';

/** Return what a player who has finished waits for. @param {number | null} place @param {number} others */
export function soFar(place, others) {
  const rest =
    others === 0
      ? 'Gleich kommt das Ergebnis.'
      : others === 1
        ? 'Eine Person spielt noch.'
        : `${others} Personen spielen noch.`;
  return place ? `Du bist bisher auf Platz ${place}. ${rest}` : rest;
}

export const STANDINGS = 'Stand';

/** Return the state of a player in the leaderboard. @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `im Ziel ${clock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `${clock(standing.late_ms ?? 0)} später`;
  const words = { FINISHED: 'aufgehört', FORFEIT: 'aufgegeben', TIMED_OUT: 'Zeit abgelaufen' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** Return how far a player has come. @param {Standing} standing @param {boolean} single cards are played, not suits */
export function progress({ home, face_down, suits }, single) {
  const left = single ? `${home} abgelegt` : `${face_down} verdeckt`;
  return !single && suits > 0 ? `${count(suits, 'Farbe', 'Farben')} · ${left}` : left;
}

/** The mark of a player whose connection is lost. */
export const NOT_THERE = 'offline';

export const TRACK = { lanes: 'Rennbahn', ends: ['Start', 'Alles aufgedeckt', 'Ziel'] };

export const WALL = 'Tische';

/** After the own end, where the host shows boards. */
export const WATCH_OTHERS = 'Du kannst den anderen zusehen.';

/**
 * Return the words of a piece of news after the player's name.
 *
 * @param {RaceNews} news
 * @param {number} [of] the number of suits of the game
 */
export function raceNews({ kind, standing }, of = 8) {
  const { place, finished_ms, state, suits } = standing;
  const time = clock(finished_ms ?? 0);
  if (kind === 'finish')
    return place ? ` ist als ${ordinal(place)} im Ziel · ${time}!` : ` ist im Ziel · ${time}!`;
  if (kind === 'suit') return `: ${suits} von ${of} Farben`;
  const ends = { FORFEIT: ' hat aufgegeben', TIMED_OUT: ': Zeit abgelaufen' };
  return /** @type {Record<string, string>} */ (ends)[state] ?? ` hat aufgehört · ${time}`;
}

/** Return the suits, or single cards, that a player has brought home. @param {Standing} standing @param {string} game */
export const homeShort = ({ home, suits }, game) =>
  game === 'little-spider' ? `${home}/52` : `${suits}/${suitsOf(game)}`;

/** The figures of the header where they are 1. @type {Record<string, string>} */
export const FIGURE_OF_ONE = {
  moves: 'Zug',
  exceptions: 'Ausnahme',
  hints: 'Tipp',
  home: 'Farbe',
  cardsHome: 'abgelegt',
  cheats: 'gemogelt',
};

export const LAST_RACER = { title: 'Nur du bist noch im Rennen.', goOn: 'Weiterspielen' };

/** @param {boolean} isHost */
export const lastRacerText = (isHost) =>
  isHost
    ? 'Alle anderen haben aufgegeben. Spiel weiter oder beende das Rennen jetzt: Deine Punkte zählen.'
    : 'Alle anderen haben aufgegeben. Spiel weiter oder gib auch auf: Dann gewinnt niemand.';

/** @param {boolean} isHost */
export const lastRacerEnd = (isHost) => (isHost ? 'Rennen beenden' : 'Aufgeben');
