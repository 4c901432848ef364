// What the keys of the program of 1987 do beyond our own: its questions, its levels, its colours
// (`seeds/` 3, III). Comes when the player has chosen these keys.

import { fetchStrings, strings } from '../core/language.js';
import { isAlone, newGame, playOn, practising } from '../core/practice.js';
import { CHOICES, preference, preferNext } from '../core/preferences.js';
import { amHost, plays } from '../core/reducer.js';
import { fetchTables } from '../shared/appearance.js';
import { sheet } from '../shared/element.js';
import { fetchManual } from './manual.js';
import { openPrompt } from './prompt.js';

/**
 * @import {App} from '../main.js'
 * @import {Command} from '../board/keys.js'
 * @import {Manual} from './manual.js'
 * @import {Player} from '../board/player.js'
 */

/** Cards in the stock at the beginning, by the first word of a game's name. */
const STOCK = { spider: 50, spiderette: 24, little: 44 };

/** What all of it needs. @returns {Promise<Manual>} */
export async function learn() {
  const [words] = await Promise.all([
    fetchManual(),
    fetchStrings('board', 'preferences'),
    sheet('classic').catch(() => {}),
  ]);
  return words;
}

/** @param {App} app @param {Manual} words */
export function quit(app, words) {
  const state = app.state();
  const racing = plays(state);
  const alone = racing && practising(state);
  openPrompt({
    title: words.QUIT.title,
    text: () => (alone ? words.QUIT.alone : racing ? words.QUIT.race : words.QUIT.room),
    // Those who race with others are asked once more, in words of their own.
    ways: [{ keys: ['Q'], text: words.QUIT.yes, act: () => app.leave(alone) }],
    back: words.BACK,
  });
}

/** 16 backgrounds and three sets of cards: 48 combinations. @param {Manual} words */
export function colours(words) {
  /** @param {'table' | 'cards'} name */
  function shown(name) {
    const value = preference(name);
    /** @type {readonly string[]} */
    const choices = CHOICES[name];
    /** @type {Record<string, string>} */
    const names = strings.PREFERENCES[name].names;
    return { at: choices.indexOf(value) + 1, of: choices.length, name: names[value] ?? value };
  }
  fetchTables();
  const { title, background, cards } = words.COLOURS;
  openPrompt({
    title,
    text: () => words.colours(shown('table'), shown('cards')),
    ways: [
      { keys: ['B'], text: background, act: () => preferNext('table'), stays: true },
      { keys: ['F'], text: cards, act: () => preferNext('cards'), stays: true },
    ],
    back: words.BACK,
  });
}

/** @type {Readonly<Record<'easy' | 'hard', number>>} */
export const LEVEL = { easy: 1, hard: 2 };

/**
 * The host chooses the level of the next game, or hears why that cannot be.
 *
 * @param {App} app
 * @param {Manual} words
 */
export function level(app, words) {
  const state = app.state();
  const { room } = state;
  const now = room?.settings.exceptions ?? 'off';
  if (!room || now === 'off') {
    app.announce(`${strings.LEVELS.off} ${words.LEVEL.none}`);
    return;
  }
  const between = room.state === 'LOBBY' || room.state === 'FINISHED';
  if (!between || !amHost(state)) {
    const why = amHost(state) ? words.LEVEL.racing : words.LEVEL.host;
    app.announce(`${words.currently(LEVEL[now])} ${why}`);
    return;
  }
  /** @type {readonly ('easy' | 'hard')[]} */
  const levels = ['easy', 'hard'];
  openPrompt({
    title: words.currently(LEVEL[now]),
    text: () => (isAlone(state) ? words.LEVEL.next : words.LEVEL.all),
    ways: levels.map((each) => ({
      keys: [String(LEVEL[each])],
      text: words.LEVELS[each],
      act: () => toLevel(app, words, each),
    })),
    back: words.BACK,
  });
}

/**
 * The next game at this level: at once for somebody alone on the results.
 *
 * @param {App} app
 * @param {Manual} words
 * @param {'easy' | 'hard'} exceptions
 */
export function toLevel(app, words, exceptions) {
  for (const message of playOn(app.state(), exceptions)) app.say(message);
  app.announce(words.levelNow(LEVEL[exceptions]));
}

/**
 * The commands of the race that the manual gives another meaning.
 *
 * @param {{app: App, player: Player, cursor: () => {pile: string} | null}} race
 * @returns {Promise<Partial<Record<Command, () => void>>>}
 */
export async function manualKeys({ app, player, cursor }) {
  const words = await learn();
  const kept = () => app.announce(strings.PLAY.notDone);

  function deal() {
    const view = player.table();
    if (view?.counts.stock === 0) {
      const [family] = view.game.split('-');
      const all = STOCK[/** @type {keyof typeof STOCK} */ (family)];
      openPrompt({ title: words.allDealt(all), ways: [], back: words.BACK });
      return;
    }
    const legal = view?.legal.some(({ type }) => type === 'deal') ?? false;
    if (!legal || !preference('confirmDeal')) {
      player.deal(true);
      return;
    }
    player.grab(null);
    openPrompt({
      title: words.DEAL.title,
      ways: [{ keys: ['F10', '0'], text: words.DEAL.yes, act: () => player.deal(true) }],
      back: words.BACK,
      kept,
    });
  }

  function restart() {
    if (!practising(app.state())) {
      app.announce(words.NEW_RACE);
      return;
    }
    const begin = () => {
      const { room } = app.state();
      if (room?.state === 'RUNNING') for (const message of newGame(room)) app.say(message);
    };
    if (!preference('confirmDeal')) {
      begin();
      return;
    }
    openPrompt({
      title: words.NEW.title,
      text: () => words.NEW.text,
      ways: [{ keys: ['F8', '8'], text: words.NEW.yes, act: begin }],
      back: words.BACK,
      kept,
    });
  }

  return {
    deal,
    dealSure() {
      if (player.awaited() === 'deal') player.deal(true);
      else app.announce(words.DEAL_FIRST);
    },
    restart,
    restartSure: () => app.announce(words.NEW_FIRST),
    // A suit that is kept is a strategy: only the one under the cursor goes.
    remove: () => player.remove(cursor()?.pile),
    level: () => level(app, words),
    colours: () => colours(words),
    quit: () => quit(app, words),
  };
}
