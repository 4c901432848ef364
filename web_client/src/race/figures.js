// The figures of the header: place, score and moves of the player, and what the game and the room count.

import { GAMES } from '../contract/games.js';
import { hintsTaken } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { placeInRace } from './standings-rows.js';

/**
 * @import {State} from '../state/state.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Lead} from './lead.js'
 * @typedef {ReturnType<typeof makeFigures>} Figures
 */

const LARGE = ['place', 'home', 'cards-home'];

/**
 * Make a figure with its label. The figures that decide a race are large.
 * @param {HTMLElement} value
 * @param {string} label
 * @param {boolean} [isKept] whether it comes first on a low screen
 */
const figure = (value, label, isKept = false) =>
  h(
    'span',
    {
      class: 'header-figure',
      'data-figure-of': value.id,
      'data-large': LARGE.includes(value.id),
      'data-kept': isKept,
      'data-part': 'figure',
    },
    value,
    h('span', { text: label }),
  );

/**
 * Make a figure that explains itself when it is pressed.
 * @param {HTMLElement} value
 * @param {string} label
 * @param {() => void} onclick
 */
const explained = (value, label, onclick) =>
  h(
    'button',
    { class: 'header-figure', 'data-kept': true, 'data-part': 'figure', onclick },
    value,
    h('span', { text: label }),
  );

/** Make the player's figures. On a low screen the figures that only some rooms have come first. @param {App} app @param {Lead} lead */
export function makeFigures(app, lead) {
  const words = strings.HEADER;
  const value = (/** @type {string} */ id) => h('b', { id, 'data-figure': id });
  const values = {
    place: value('place'),
    score: value('score'),
    moves: value('moves'),
    exceptions: value('exceptions'),
    hints: value('hints'),
    hidden: value('face-down'),
    home: value('home'),
    stock: value('in-stock'),
    cardsHome: value('cards-home'),
    cheats: value('cheats'),
  };
  const place = figure(values.place, '');
  place.append(lead.word);
  const exceptions = explained(values.exceptions, words.exceptions, () =>
    app.announce(strings.EXCEPTION_ABOUT),
  );
  exceptions.title = strings.EXCEPTION_ABOUT;
  const hints = figure(values.hints, words.hints, true);
  // A game has either columns with face-down cards, or foundations for single cards.
  const ofColumns = [figure(values.hidden, words.faceDown), figure(values.home, words.home)];
  const ofCards = [figure(values.cardsHome, words.cardsHome), figure(values.stock, words.inStock)];
  const cheats = explained(values.cheats, words.cheats, () => app.announce(cheatRule(app.state())));
  const element = h(
    'div',
    { class: 'header-figures', id: 'figures' },
    place,
    figure(values.score, words.score),
    figure(values.moves, words.moves),
    exceptions,
    hints,
    ...ofColumns,
    ...ofCards,
    cheats,
  );
  return { element, lead, values, place, exceptions, hints, cheats, ofColumns, ofCards };
}

/** Return the explanation of the count of cheats. @param {State} state */
const cheatRule = ({ room }) => strings.cheatRule(room?.settings.undo);

/** Draw the figures, and hide those that the game or the room does not have. @param {Figures} figures @param {State} state */
export function updateFigures(figures, state) {
  const { element, values, exceptions, hints, cheats, ofColumns, ofCards } = figures;
  const view = state.play?.shown;
  const counts = view?.counts;
  write(values.score, String(view?.score ?? '–'));
  write(values.moves, String(counts?.moves ?? '–'));
  write(values.home, String(counts?.suits ?? '–'));
  write(values.hidden, String(counts?.face_down ?? '–'));
  write(values.cardsHome, String(counts?.home ?? '–'));
  write(values.stock, String(counts?.stock ?? '–'));
  showPlace(figures, state);
  const game = GAMES[state.room?.settings.game ?? ''];
  write(labelOf(values.home), strings.ofSuits(game?.foundations ?? 0));
  const hasColumns = (game?.face_down ?? 0) > 0;
  for (const each of ofColumns) each.hidden = !hasColumns;
  for (const each of ofCards) each.hidden = hasColumns;
  write(values.cheats, String(counts?.cheats ?? 0));
  cheats.title = cheatRule(state);
  cheats.hidden = !counts?.cheats; // a room without the setting never counts any
  write(values.exceptions, String(counts?.exceptions ?? 0));
  exceptions.hidden = state.room?.settings.exceptions === 'off';
  write(values.hints, String(hintsTaken(state)));
  hints.hidden = !state.room?.settings.hints;
  const hasMore = !exceptions.hidden || !hints.hidden;
  element.toggleAttribute('data-kept', !cheats.hidden || hasMore);
  element.toggleAttribute('data-full', !cheats.hidden && hasMore);
  for (const [name, word] of Object.entries(strings.FIGURE_OF_ONE)) {
    const value = values[/** @type {keyof typeof values} */ (name)];
    writeLabel(value, word, strings.HEADER[/** @type {'moves'} */ (name)]);
  }
}

/** Show this player's place among those who are ranked, in the standings of the leaderboard. @param {Figures} figures @param {State} state */
export function showPlace({ place: element, values, lead }, { room, me }) {
  const { place, of, leads } = placeInRace({ room, me, standings: lead.standings() });
  element.hidden = place === undefined || of < 2;
  element.toggleAttribute('data-leads', leads);
  write(values.place, place ? strings.ordinal(place) : '–');
  write(labelOf(values.place), strings.ofPlayers(of));
}

/** Return the label of a figure. @param {HTMLElement} value */
const labelOf = ({ nextElementSibling: label }) => /** @type {Element} */ (label);

/**
 * Write the label of a figure, in the singular for 1, and without a shift of the other figures.
 * @param {HTMLElement} value
 * @param {string} one
 * @param {string} many
 */
function writeLabel(value, one, many) {
  const label = value.nextElementSibling;
  const text = value.textContent === '1' ? one : many;
  if (!(label instanceof HTMLElement) || label.textContent === text) return;
  label.style.minWidth = text === one ? `${label.offsetWidth}px` : '';
  write(label, text);
}
