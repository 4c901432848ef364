// What the screens get from the page, and what the page gets from its screens.

import type { Sound } from '../browser/sound.js';
import type { AddBot } from '../contract/messages.d.ts';
import type { ClientMessage } from '../contract/notation.js';
import type { Attempt } from '../game/table.js';
import type { Change, Logged } from '../state/race-events.js';
import type { State } from '../state/state.js';

/** What follows when a room has been entered. */
export interface How {
  /** The race starts as soon as it can. */
  startsAtOnce?: boolean;
  /** This player begins the deal of a running race. */
  chases?: boolean;
  /** The race starts against a computer player of this level, in a new room. */
  against?: AddBot['level'];
  /** The pace of that player. */
  pace?: NonNullable<AddBot['pace']>;
}

/** The page, for its screens. */
export interface App {
  state: () => State;
  /** The events of the race, newest first. */
  log: () => readonly Logged[];
  /** Returns whether there was a connection to send it on; if not, the page says so. */
  send: (message: ClientMessage) => boolean;
  act: (action: Attempt) => void;
  enter: (opening: ClientMessage, how: How) => void;
  /** Show a room's page, or that of its round `n`. */
  visit: (code: string, n?: number) => void;
  /** Leave the room; in a race the page asks first, unless `sure` is `true`. */
  leave: (sure?: unknown) => void;
  /** Show the page of a kept table in place of its lobby or its results, or go back there. */
  showTable: (isShown: boolean) => void;
  announce: (text: string) => void;
  /** Let screen readers read a sentence that eyes find elsewhere. */
  readOut: (text: string) => void;
  /** Why the player is on this page, or ''. */
  reason: () => string;
  speak: (language: string) => void;
  openLesson: () => void;
  openPreferences: () => void;
  /** Open the menu of a kept table at the button that was pressed. */
  openTableMenu: (event: { currentTarget: EventTarget | null }) => void;
  /** Show the code that moves the seat to another device. */
  showCarry: () => void;
  /** The load after a race. Its module imports this one, so whoever uses the code names its type. */
  after: { use(name: string, use: (code: never) => void): void };
  /** Draw the state again, though it has not changed. */
  redraw: () => void;
  /** The server's time in ms. */
  now: () => number;
  sound: Sound;
}

/** A sentence for the status line, or '' if there is none. */
export type News =
  | string
  /** A sentence with the seconds that are left until a time of the server's clock; `isSeen` if the
   *  screen shows them. */
  | { until: number; words: (seconds: number) => string; isSeen?: true }
  /** A sentence for screen readers alone. */
  | { spoken: string }
  /** A sentence that may wait for more of its kind; '' once it is no news any more. `isSpoken` if it is
   *  for screen readers alone. */
  | { collected: () => string; isSpoken?: boolean }
  /** A sentence; only screen readers read its part `aside`, quoted from the text. */
  | { text: string; aside: string };

export type NewsOfGame = (change: Change) => News;

/** A screen, or a part of one, that is shown. */
export interface Bound {
  update: (state: State) => void;
  unbind: () => void;
  /** Shown at the left and in the middle of the head of the page instead of the wordmark and its links;
   *  null for a screen without a head. */
  top?: Node[] | null;
  /** Whether the screen stays for a moment more before the results of a state take its place. */
  staysFor?: (state: State) => boolean;
  /** A screen with a board returns the news of this player's game: of answers, and of its end. */
  newsOfGame?: NewsOfGame;
}

export type Binder = (root: HTMLElement, app: App, code: string) => Bound;

export type Screen =
  | 'landing'
  | 'join'
  | 'missing'
  | 'seating'
  | 'waiting'
  | 'room'
  | 'countdown'
  | 'race'
  | 'results'
  | 'table'
  | 'finished'
  | 'strategy'
  | 'day'
  | 'days'
  | 'ghost'
  | 'yours';
