// The keys of the program of 1987 between two games: on the results and in the room. Comes when
// the player has chosen these keys.
//
// Hooks for tests: #press says which keys there are; dialog#prompt asks, #prompt-text, [data-key].

import { commandOf, keyName } from '../board/keys.js';
import { choosable, isAlone, playOn } from '../core/practice.js';
import { preference } from '../core/preferences.js';
import { amHost, screen } from '../core/reducer.js';
import { h, listen, write } from '../shared/element.js';
import { colours, learn, level, quit, toLevel } from './classic.js';
import { closePrompt, openPrompt } from './prompt.js';

/**
 * @import {App} from '../main.js'
 * @import {State} from '../core/reducer.js'
 * @typedef {Awaited<ReturnType<typeof bindBetween>>} Between
 */

const TYPING = 'input, select, textarea';

/** @param {App} app */
export async function bindBetween(app) {
  let words = await learn();
  let spoken = document.documentElement.lang;
  let shown = screen(app.state());
  const press = h('p', { class: 'small', id: 'press' });

  /** The digit of a game on the card; 0 is the tenth. @param {number} game */
  const digitOf = (game) => String(game % 10);

  /** @param {number} game */
  const choose = (game) => app.say({ type: 'choose', game });

  function ask() {
    const games = choosable(app.state());
    if (games.length < 1) return;
    openPrompt({
      title: words.WHICH,
      ways: games.map((game) => ({
        keys: game <= 10 ? [digitOf(game)] : [],
        text: words.game(game),
        act: () => choose(game),
      })),
      back: words.BACK,
    });
  }

  /** Plays on by the same rules: at once for somebody alone. */
  function again() {
    const state = app.state();
    if (!amHost(state)) app.announce(words.NEW_HOST);
    else if (state.room?.state === 'FINISHED')
      for (const message of playOn(state)) app.say(message);
    else if (isAlone(state)) app.say({ type: 'start' });
    else app.announce(words.NEW_WAIT);
  }

  /** A digit names a level where one can be chosen, else a game. @param {string} digit */
  function digit(digit) {
    const state = app.state();
    if (!amHost(state)) return false;
    const over = state.room?.state === 'FINISHED';
    if (over && hasLevels(state) && (digit === '1' || digit === '2'))
      toLevel(app, words, digit === '1' ? 'easy' : 'hard');
    else {
      const game = digit === '0' ? 10 : Number(digit);
      if ((state.room?.settings.rounds ?? 1) < 2) return false;
      choose(game); // the server says why not
    }
    return true;
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether it was for us */
  function act(event) {
    const name = keyName(event).replace(/^(Num |Shift\+)/, '');
    if (event.key.length === 1 && !preference('letterKeys')) return false;
    if (/^\d$/.test(name) && digit(name)) return true;
    const over = app.state().room?.state === 'FINISHED';
    if (name === 'G' && over && amHost(app.state())) ask();
    else
      switch (commandOf(event, 'classic', true)?.command) {
        case 'level':
          level(app, words);
          break;
        case 'restart':
          again();
          break;
        case 'colours':
          colours(words);
          break;
        case 'quit':
          if (over && isAlone(app.state())) app.leave();
          else quit(app, words);
          break;
        default:
          return false;
      }
    return true;
  }

  listen(document, 'keydown', (event) => {
    const here = ['room', 'results'].includes(screen(app.state()));
    if (!here || preference('keys') !== 'classic' || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]') || event.target.closest?.(TYPING)) return;
    if (act(event)) event.preventDefault();
  });

  /** Which keys there are. @param {State} state */
  async function update(state) {
    const { lang } = document.documentElement;
    if (lang !== spoken) {
      spoken = lang;
      words = await learn();
    }
    const at = screen(state);
    if (at !== shown) closePrompt();
    shown = at;
    const place = document.querySelector(at === 'results' ? '.onward' : '.room .people');
    const host = amHost(state) && preference('keys') === 'classic';
    if (!place || !host || !(at === 'results' || at === 'room')) {
      press.remove();
      return;
    }
    const rounds = state.room?.settings.rounds ?? 1;
    const levels = hasLevels(state);
    write(
      press,
      at === 'results'
        ? words.afterGame(levels, rounds > 1 && choosable(state).length > 0)
        : words.beforeGame(levels, Math.min(rounds, 10)),
    );
    if (press.parentNode !== place) place.append(press);
  }

  return { update };
}

/** Whether the rules of the room have exceptions. @param {State} state */
const hasLevels = ({ room }) => (room?.settings.exceptions ?? 'off') !== 'off';
