// The results of a race, and the page of a finished round.

import {
  cheats,
  clock,
  count,
  exactClock,
  gameName,
  hintsTaken,
  list,
  ordinal,
  result,
} from './start.js';

/**
 * @import {Standing, TieBreak} from '../../contract/messages.d.ts'
 * @import {NextRace} from '../../state/next-race.js'
 * @typedef {{by: 'time' | 'points' | 'suits' | 'turned', n: number}} Margin `n` is in ms for `time`
 */

/** Return the result in a line of the ranking, with all that explains it. @param {Standing} standing */
export function resultLine(standing) {
  const { late_ms, restored, hints, cheats: cheated, stand_in } = standing;
  const late = late_ms === null ? [] : [`${clock(late_ms)} später gestartet (ohne Wertung)`];
  if (stand_in) late.push('mit einem Computerspieler (ohne Wertung)');
  const acts = restored === 1 ? 'ein Zug' : `${restored} Züge`;
  const back = restored > 0 ? [`${acts} nach einem Datenverlust wiederhergestellt`] : [];
  const helped = hints > 0 ? [hintsTaken(hints)] : [];
  if (cheated > 0) helped.push(cheats(cheated));
  return [result(standing), ...late, ...helped, ...back].join(' · ');
}

export const RESULTS = {
  ranking: 'Rangliste',
  columns: ['#', 'Name', 'Ergebnis', 'Punkte', 'Züge', 'Farben'],
  over: 'Das Rennen ist vorbei',
  see: 'Ansehen',
  savePicture: 'Bild speichern',
  sharePicture: 'Bild teilen',
  data: 'Alle Daten dieser Runde',
  text: 'Als Text herunterladen',
  again: 'Dieses Blatt allein',
  newMatch: 'Neues Match',
  leave: 'Verlassen',
  deal: 'Das Blatt',
  check: 'Selbst nachprüfen',
  show: 'Karten anzeigen',
  number: 'Nummer des Blatts',
  seed: 'Seed',
  salt: 'Salt',
  seal: 'Hash, SHA-256(Seed‖Salt)',
  me: 'Ich',
  share: 'Link zu diesem Ergebnis',
  lobby: 'Regeln ändern',
  rematch: 'Revanche',
  newDeal: 'Neues Blatt',
  replay: 'Noch einmal spielen',
  notAfterAll: 'Doch nicht',
  shared: 'Mit diesem Link können alle das Ergebnis und die Wiederholung sehen.',
};

export const FINISHED = {
  loading: 'Rennen wird geladen…',
  gone: 'Dieses Rennen gibt es hier nicht',
  why: 'Es läuft noch, oder sein Raum ist geschlossen.',
  front: 'Zur Startseite',
  room: 'Zum Raum',
};

/** Return a race in one line. @param {{settings: {game: string}, t0: number, courses: readonly unknown[]}} round */
export function raceAbout({ settings, t0, courses }) {
  const day = new Date(t0).toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' });
  return `${gameName(settings.game)} · ${courses.length} Spieler · ${day}`;
}

/** What decides between players whose figures are equal. @type {Record<TieBreak['by'], string>} */
const TIE_BREAKS = {
  cheats: 'vorn, weil seltener zurückgenommen',
  face_down: 'vorn durch weniger verdeckte Karten',
  last_gain: 'vorn durch den früheren letzten Punktgewinn',
};

/** Return why a player is ahead of the next one with equal figures. @param {TieBreak['by']} by */
export const tieBreak = (by) => TIE_BREAKS[by] ?? '';

/**
 * Return the heading of a ranking.
 * @param {readonly string[]} winners
 * @param {{alone: boolean, home: boolean, won: boolean, round?: number | undefined}} own `round` in a match of several
 */
export function verdict(winners, { alone, home, won, round }) {
  const names = list(winners);
  const of = round ? ` Runde ${round}` : '';
  if (alone) return home ? 'Du bist im Ziel!' : 'Übung beendet';
  if (winners.length === 0) return of ? `In${of} ist niemand im Ziel` : 'Niemand ist im Ziel';
  if (won && winners.length > 1) return `Unentschieden${of ? ` in${of}` : ''}: ${names}`;
  if (won) return `Du gewinnst${of}, ${names}!`;
  if (winners.length > 1) return `${names} teilen sich ${of ? `den Sieg in${of}` : 'den Sieg'}`;
  return `${names} gewinnt${of}`;
}

/** Return a margin: `0,4 s`, `12 Punkte`. @param {Margin} margin */
function marginText({ by, n }) {
  if (by === 'time')
    return n < 60_000 ? `${n < 10_000 ? tenths(n) : Math.floor(n / 1_000)} s` : clock(n);
  if (by === 'points') return count(n, 'Punkt', 'Punkte');
  return by === 'suits'
    ? count(n, 'Farbe', 'Farben')
    : count(n, 'aufgedeckte Karte', 'aufgedeckte Karten');
}

/** @param {number} ms */
const tenths = (ms) => (Math.floor(ms / 100) / 10).toFixed(1).replace('.', ',');

/**
 * Return the time and the lead of the winner of a round; '' if there are none.
 * @param {number | null} ms the time in which the winner finished
 * @param {Margin | null} margin to the next player
 * @param {string} next the name of that player
 */
export function winningMargin(ms, margin, next) {
  const ahead = margin ? `${marginText(margin)} vor ${next}` : '';
  if (ms === null) return ahead;
  return `Im Ziel nach ${exactClock(ms)}${ahead ? `, ${ahead}` : ''}`;
}

/** Return the place of a player who has not won. @param {{place: number, players: number, leader: Standing, margin: Margin | null}} own */
export function ownPlace({ place, players, leader, margin }) {
  const of = players > 2 ? ` von ${players}` : '';
  const behind = margin ? `, ${marginText(margin)} hinter ${leader.name}` : '';
  return `Du bist ${ordinal(place)}${of}${behind}`;
}

/** Return when a race was decided. @param {{ms: number, kind: 'led' | 'lead' | 'home' | 'quit'}} decision @param {string} name */
export function decided({ ms, kind }, name) {
  if (kind === 'led')
    return ms < 1_000
      ? `${name} lag von Anfang an vorn.`
      : `${name} lag ab ${clock(ms)} bis zum Schluss vorn.`;
  const what = {
    lead: `${name} ging in Führung und blieb vorn`,
    home: `${name} war zuerst im Ziel`,
    quit: `${name} gab in Führung auf`,
  };
  return `Entschieden bei ${clock(ms)}: ${what[kind]}.`;
}

/**
 * Return what made the difference in a race.
 * @param {{kind: 'turned' | 'hidden' | 'suits' | 'home' | 'cards' | 'idle' | 'quit', winner: Standing, rival: Standing, n: number, of: number, isProgram: boolean}} decisive
 * @param {number} me this player's seat, or -1
 */
export function decisive({ kind, winner, rival, n, of }, me) {
  const [isWinner, isRival] = [winner.seat === me, rival.seat === me];
  const won = isWinner ? 'Du hast' : `${winner.name} hat`;
  const lost = isRival ? 'Du hast' : `${rival.name} hat`;
  const other = isRival ? 'du' : rival.name;
  const had = isRival ? 'Du hattest' : `${rival.name} hatte`;
  switch (kind) {
    case 'turned': {
      const who = isWinner ? 'Du hattest' : `${winner.name} hatte`;
      const before = isRival ? 'dir' : rival.name;
      return `${who} ${marginText({ by: 'time', n })} vor ${before} alle Karten aufgedeckt.`;
    }
    case 'hidden':
      return `${had} am Ende noch ${count(n, 'verdeckte Karte', 'verdeckte Karten')}.`;
    case 'home':
      return `${had} am Ende ${n} von ${count(of, 'Karte', 'Karten')} abgelegt.`;
    case 'suits':
      return of
        ? `${had} am Ende ${n} von ${count(of, 'Farbe', 'Farben')}.`
        : `${won} ${count(n, 'Farbe', 'Farben')} geschafft, ${other} ${rival.suits}.`;
    case 'cards':
      return `${won} ${count(n, 'Karte', 'Karten')} mehr aufgedeckt als ${other}.`;
    case 'idle':
      return `${lost} keinen Zug gemacht.`;
    case 'quit':
      return `${lost} bei ${clock(n)} aufgegeben.`;
  }
}

/** Return the heading of a match that is over. @param {readonly string[]} winners @param {boolean} won whether this player is one of them */
export function matchVerdict(winners, won) {
  const names = list(winners);
  if (winners.length === 0) return 'Niemand gewinnt das Match';
  if (won && winners.length > 1) return `Das Match endet unentschieden: ${names}`;
  if (won) return `Du gewinnst das Match, ${names}!`;
  return winners.length > 1 ? `${names} teilen sich das Match` : `${names} gewinnt das Match`;
}

/** @param {number} n @param {number} of */
export const roundOf = (n, of) => `Runde ${n} von ${of}`;

/** @param {number} n */
export const cardCount = (n) => count(n, 'Karte', 'Karten');

/** Return the label of the button for the next round. @param {number} n @param {number} of */
export const nextOf = (n, of) => `Nächste Runde (${n} von ${of})`;

/** @param {number} level */
export const againAt = (level) => `Noch einmal auf Stufe ${level}`;

/** Return which players want the next race, and for which it waits. @param {NextRace} next */
export function nextRaceLine({ isWanted, wanting, missing, away, inMatch }) {
  if (!isWanted && wanting.length === 0) return '';
  const many = wanting.length > 1;
  if (!isWanted && inMatch)
    return `${list(wanting)} ${many ? 'sind' : 'ist'} bereit für die nächste Runde.`;
  if (!isWanted) return `${list(wanting)} ${many ? 'möchten' : 'möchte'} eine Revanche.`;
  const awaited = missing.length > 0 ? missing : wanting.length > 0 ? [] : away;
  return awaited.length > 0 ? `Warten auf ${list(awaited)} …` : '';
}

/** Return the label of the button that starts without the missing players. @param {readonly string[]} missing */
export const startWithout = (missing) =>
  missing.length > 2
    ? `Ohne ${missing.length} Spieler starten`
    : missing.length > 0
      ? `Ohne ${list(missing)} starten`
      : 'Jetzt starten';

/** @param {{score: number, ms: number | null}} best */
const bestText = ({ score, ms }) =>
  [count(score, 'Punkt', 'Punkte'), ms !== null && clock(ms)].filter(Boolean).join(' · ');

/** Return the best result of practice. @param {{score: number, ms: number | null}} best */
export const yourBest = (best) => `Dein Bestes: ${bestText(best)}`;

/** Return the sentence on a practice game that was better than all before. @param {{score: number, ms: number | null}} best */
export const newBest = (best) => `Neue Bestleistung: ${bestText(best)}`;
