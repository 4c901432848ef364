// The race around the board: header, buttons, leaderboard and the boards of others.

import { GAMES } from '../../contract/games.js';
import { cheats, clock, count, duration, ordinal } from './start.js';

/**
 * @import {Standing} from '../../contract/messages.d.ts'
 * @import {TableView} from '../../contract/notation.js'
 * @import {RaceNews} from '../../state/race-news.js'
 * @import {State} from '../../state/state.js'
 */

export const KEEP_LOOKING = 'Weitersuchen';

/** Return the label of a board in the grid. @param {Standing} standing */
export const boardLabel = (standing) =>
  `${standing.name}: ${count(standing.score, 'Punkt', 'Punkte')}, ${standing.face_down} verdeckt, ${count(standing.suits, 'Farbe', 'Farben')} abgelegt. Vergrößern`;

/** Return how late boards are shown. @param {number} seconds */
export const boardsLate = (seconds) =>
  seconds === 0
    ? 'Die Tische sind live.'
    : `Die Tische sind um ${count(seconds, 'Sekunde', 'Sekunden')} verzögert.`;

/** Return when boards that are shown late have their first moves. @param {number} ms */
export const boardsFollow = (ms) =>
  `Die Tische sind verzögert, damit niemand abschaut: erste Züge in ${clock(ms + 999)}.`;

/** The label of a place. @param {number} n the players who are ranked */
export const ofPlayers = (n) => `von ${n}`;

/** The label of the suits that are home. @param {number} n all of them */
export const ofSuits = (n) => `von ${n} Farben`;

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
  gaveUp: 'Du hast aufgegeben.',
  end: 'Rennen beenden',
  finished: 'Spiel vorbei.',
};

/** Return the standings in a sentence. @param {State} state */
export const standingsSpoken = ({ standings, me }) =>
  standings.length > 0
    ? `${standings
        .map(({ place, has_acted: hasActed, seat, name, score }) => {
          const who = seat === me?.seat ? 'du' : name;
          const at = place && hasActed !== false ? `${ordinal(place)} ` : '';
          return `${at}${who}, ${score}`;
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
export const youWin = (ms) => `Du gewinnst! ${clock(ms)}.`;

/**
 * Return what a player who has finished waits for.
 * @param {number | null} place null where it is not named
 * @param {number} others
 * @param {number | null} [left] the ms that they still have, null without a limit
 */
export function soFar(place, others, left) {
  const time = left === undefined ? '' : `, ${left === null ? 'ohne Zeitlimit' : timeLeft(left)}`;
  const rest =
    others === 0
      ? 'Gleich kommt das Ergebnis.'
      : others === 1
        ? `Es spielt noch jemand${time}.`
        : `Es spielen noch ${others}${time}.`;
  return place ? `Bisher Platz ${place}. ${rest}` : rest;
}

/** The words for the leader: for this player, and after the name of another one. */
export const LEAD = {
  own: 'Du führst',
  other: ' führt',
  ownWin: 'Du gewinnst',
  otherWins: ' gewinnt',
};

export const STANDINGS = 'Stand';

/** Return the state of a player in the leaderboard. @param {Standing} standing */
export function standingState(standing) {
  if (standing.won) return `im Ziel ${clock(standing.finished_ms ?? 0)}`;
  if (standing.state === 'CHASING') return `${clock(standing.late_ms ?? 0)} später`;
  const words = { FINISHED: 'aufgehört', FORFEIT: 'aufgegeben', TIMED_OUT: 'Zeit abgelaufen' };
  return /** @type {Record<string, string>} */ (words)[standing.state] ?? '';
}

/** The mark of a game that a computer player plays for somebody who is gone. */
export const STAND_IN = 'vom Computer, ohne Wertung';

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
 * @param {RaceNews} news
 * @param {number} of the number of suits of the game
 */
export function raceNews({ kind, standing }, of) {
  const { place, finished_ms, state, suits } = standing;
  const time = clock(finished_ms ?? 0);
  if (kind === 'finish')
    return place ? ` ist als ${ordinal(place)} im Ziel · ${time}!` : ` ist im Ziel · ${time}!`;
  if (kind === 'suit') return `: ${suits} von ${of} Farben`;
  const ends = { FORFEIT: ' hat aufgegeben', TIMED_OUT: ': Zeit abgelaufen' };
  return /** @type {Record<string, string>} */ (ends)[state] ?? ` hat aufgehört · ${time}`;
}

/** Return the suits, or single cards, that a player has brought home. @param {Standing} standing @param {string} game */
export function homeShort({ home, suits }, game) {
  const { goal, cards, foundations } = GAMES[game];
  return goal === 'cards' ? `${home}/${cards}` : `${suits}/${foundations}`;
}

/** The figures of the header where they are 1. @type {Record<string, string>} */
export const FIGURE_OF_ONE = {
  moves: 'Zug',
  exceptions: 'Ausnahme',
  hints: 'Tipp',
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

/** To a winner, while others still race. */
export const WIN_STAYS = 'Dein Sieg zählt, auch wenn du gehst.';

/**
 * Return the question whether to race on after somebody has won.
 * @param {string} name of the winner
 * @param {number} place that is still open
 * @param {number | null} left the ms that are left, null without a limit
 */
export const behindAsk = (name, place, left) => ({
  title: `${name} gewinnt.`,
  text:
    left === null
      ? 'Du kannst noch ins Ziel kommen.'
      : `Du kannst noch ins Ziel kommen: ${timeLeft(left)}.`,
  goOn: `Weiter um Platz ${place}`,
  spoken: `${name} gewinnt. Weiter um Platz ${place}?`,
});

/** Return what is shown while the rest of a game is played out. @param {number} left */
export const playingOut = (left) => ({
  title: 'Wird zu Ende gespielt…',
  text: `Noch ${count(left, 'Zug', 'Züge')}`,
  goOn: 'Anhalten',
});

export const PLAY_OUT = 'Zu Ende spielen';

/** Return the offer to play out the rest of a game. @param {number} moves */
export const playOutAsk = (moves) => ({
  title: 'Das ist gewonnen',
  text: `Alle Karten liegen offen, noch ${count(moves, 'Zug', 'Züge')}. Sollen wir für dich zu Ende spielen?`,
  goOn: 'Ich spiele selbst',
  spoken: 'Das ist gewonnen. Zu Ende spielen?',
});

export const STOP_HERE = 'Hier aufhören';

/**
 * Return the question about a game in which nothing can change any more.
 * @param {number} score
 * @param {number} gain the points that moves can still add, at most
 * @param {boolean} undo whether a move can be taken back
 */
export const deadAsk = (score, gain, undo) => ({
  title: 'Hier tut sich nichts mehr',
  text: `Keine Karte kann mehr aufgedeckt, keine Farbe mehr fertig werden.${
    gain > 0 ? ` Züge bringen höchstens noch ${count(gain, 'Punkt', 'Punkte')}.` : ''
  } Hier aufhören${undo ? ' oder zurücknehmen' : ''}? Du behältst ${count(score, 'Punkt', 'Punkte')}.`,
  goOn: KEEP_LOOKING,
  spoken: 'Hier tut sich nichts mehr. Hier aufhören?',
});

/** The offer to take back that the player has given up. */
export const GAVE_UP = {
  title: 'Du hast aufgegeben',
  text: 'Aus Versehen? Fünf Sekunden lang kannst du noch weiterspielen.',
  goOn: 'Weiterspielen',
  end: 'Jetzt aufgeben',
  spoken: 'Du hast aufgegeben. Fünf Sekunden lang kannst du noch weiterspielen.',
};

/** Questions of the header, as those in `ASK`. */
export const ASK_IN_RACE = {
  forfeit: {
    title: 'Dieses Rennen aufgeben?',
    text: 'Du behältst deine Punkte. Willst du nur eine Pause machen? Schließ einfach die Seite: Solange das Rennen läuft, behältst du deinen Platz.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  forfeitRound: {
    title: 'Diese Runde aufgeben?',
    text: 'Du behältst deine Punkte. Willst du nur eine Pause machen? Schließ einfach die Seite: Solange die Runde läuft, behältst du deinen Platz.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
  forfeitAlone: {
    title: 'Dieses Spiel beenden?',
    text: 'Du behältst deine Punkte.',
    yes: 'Beenden',
    no: 'Weiterspielen',
  },
  restart: {
    title: 'Neu beginnen?',
    text: 'Du fängst mit denselben Karten noch einmal von vorn an.',
    yes: 'Neu beginnen',
    no: 'Weiterspielen',
  },
  restartSecret: {
    title: 'Neu beginnen?',
    text: 'Dieses Blatt ist geheim, bis dein Spiel vorbei ist. Gib erst auf und wähle dann auf der nächsten Seite „Dieses Blatt allein“.',
    yes: 'Aufgeben',
    no: 'Weiterspielen',
  },
};

/** Return the best result of practice so far, in short: the time of a win, or else the score. @param {{score: number, ms: number | null}} best */
export const ownBest = ({ score, ms }) => `Rekord ${ms === null ? score : clock(ms)}`;

/** Return how a game of another player has ended. @param {Standing} standing @param {boolean} wins whether that wins the race for certain */
export function ended({ name, won, state, finished_ms }, wins) {
  const time = clock(finished_ms ?? 0);
  if (won) return wins ? `${name} gewinnt nach ${time}.` : `${name} ist nach ${time} im Ziel.`;
  return `${name} hat ${state === 'FORFEIT' ? 'aufgegeben' : 'aufgehört'}.`;
}

/** Return that a player has taken the lead. @param {string} name */
export const leads = (name) => `${name} geht in Führung.`;

export const TAKE_LEAD = 'Du gehst in Führung.';

/** What is left after the first win, by its usual seconds. @type {Record<number, string>} */
const LAST = { 60: 'Letzte Minute', 120: 'Letzte zwei Minuten', 300: 'Letzte fünf Minuten' };

/** Return that a win has shortened the race. @param {number} seconds @param {string} name of the winner; '' if the win is known */
export const lastStretch = (seconds, name) =>
  `${LAST[seconds] ?? `Noch ${duration(seconds)}`}${name && `: ${name} ist im Ziel`}.`;
