// What screens get from the page, and the page from screens.

import type { Sound } from '../browser/sound.js';
import type { AddBot } from '../contract/messages.d.ts';
import type { ClientMessage } from '../contract/notation.js';
import type { Attempt } from '../game/table.js';
import type { Change, Logged } from '../state/race-events.js';
import type { State } from '../state/state.js';

/** What to do once a room is entered. */
export interface How {
  /** Start the race as soon as possible. */
  startsAtOnce?: boolean;
  /** Start late in the race that is running, with a clock of one's own. */
  chases?: boolean;
  /** Start a race against a computer player of this level, in a new room. */
  against?: AddBot['level'];
}

/** The functions of the page for its screens. */
export interface App {
  state: () => State;
  /** The events of the race, newest first. */
  log: () => readonly Logged[];
  /** Send a message; return whether that was possible. If not, the page says that it is not connected. */
  send: (message: ClientMessage) => boolean;
  act: (action: Attempt) => void;
  /** Connect, and take a seat with the message `opening`. */
  enter: (opening: ClientMessage, how: How) => void;
  /** Show the page of a room, or of its round `n`. */
  visit: (code: string, n?: number) => void;
  /** Leave the room. In a race the page asks first, unless `sure` is `true`. (A click passes its event instead.) */
  leave: (sure?: unknown) => void;
  /** Show the page of a kept table in place of its lobby or its results, or go back to them. */
  showTable: (isShown: boolean) => void;
  /** Show a sentence in the status line. */
  announce: (text: string) => void;
  /** Have screen readers read out a sentence that the screen shows elsewhere. */
  readOut: (text: string) => void;
  /** Returns why the player was sent to this page, or ''. */
  reason: () => string;
  /** Show the page in another language. */
  speak: (language: string) => void;
  openLesson: () => void;
  openPreferences: () => void;
  /** Open the menu of a kept table at the button that was pressed. */
  openTableMenu: (event: { currentTarget: EventTarget | null }) => void;
  /** Show the code that moves the seat to another device. */
  showCarry: () => void;
  /** Draw the state again, although it has not changed. */
  redraw: () => void;
  /** The server's time in ms. */
  now: () => number;
  sound: Sound;
}

/** The page with the load after a race (see `makeLoad`). `Code` is its module, which modules below it cannot import. */
export type AppWith<Code> = App & { after: { use(name: string, use: (code: Code) => void): void } };

/** A sentence for the status line, or ''. */
export type News =
  | string
  /** A sentence that counts the seconds until a time of the server, in ms; `isSeen` if the screen shows them anyway. */
  | { until: number; words: (seconds: number) => string; isSeen?: true }
  /** A sentence for screen readers alone. */
  | { spoken: string }
  /** A sentence that may wait to include later events; '' once it is out of date. `isSpoken`: for screen readers
   *  alone. */
  | { collected: () => string; isSpoken?: boolean }
  /** A sentence whose part `aside` is hidden from sight; screen readers read it out. */
  | { text: string; aside: string };

export type NewsOfGame = (change: Change) => News;

/** A screen, or a part of one, that is shown. */
export interface Bound {
  update: (state: State) => void;
  unbind: () => void;
  /** The left and the middle of the page's head, instead of the wordmark and its links; null for a screen
   *  without a head. */
  top?: Node[] | null;
  /** Whether the screen stays for now, although the results should replace it. */
  staysFor?: (state: State) => boolean;
  /** Returns the news of this player's game, on a screen with a board. */
  newsOfGame?: NewsOfGame;
}

export type Binder<A = App> = (root: HTMLElement, app: A, code: string) => Bound;

type StartScreen = 'landing' | 'join' | 'missing' | 'seating';
type RoomScreen = 'waiting' | 'room' | 'countdown' | 'race' | 'results' | 'table' | 'finished';
type DayScreen = 'day' | 'days' | 'ghost';
export type Screen = StartScreen | RoomScreen | DayScreen | 'strategy' | 'yours';
