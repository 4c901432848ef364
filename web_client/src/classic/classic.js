// The actions that only the keys of 1987 have: questions, levels and colours (`seeds/` 3, III). This
// module is loaded for players who have chosen these keys.

import { CHOICES, preference, preferNext } from '../browser/storage.js';
import { fetchTables } from '../page/appearance.js';
import { deal, grab, removeSuit, tableOf } from '../play/player.js';
import { gameInfo, whenLoaded } from '../room/catalogue.js';
import { isOnlyPlayer, newGameMessages, playOnMessages } from '../state/next-game.js';
import { amHost, isOnlyRacer, plays } from '../state/state.js';
import { fetchStrings, strings } from '../strings/language.js';
import { loadSheet } from '../widgets/element.js';
import { fetchManual } from './manual.js';
import { openPrompt } from './prompt.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {ClassicCommand} from '../play/key-bindings.js'
 * @import {Manual} from './manual.js'
 * @import {Player} from '../play/player.js'
 */

/** Load the sentences and styles of the keys of 1987. @returns {Promise<Manual>} */
export async function loadClassic() {
  whenLoaded(() => {}); // the catalogue has the size of a full stock
  const [words] = await Promise.all([
    fetchManual(),
    fetchStrings('race', 'after'),
    loadSheet('prompt').catch(() => {}),
  ]);
  return words;
}

/** Ask whether to leave. @param {App} app @param {Manual} words */
export function quit(app, words) {
  const state = app.state();
  const isRacing = plays(state);
  const isOnlyInRace = isRacing && isOnlyRacer(state);
  openPrompt({
    title: words.QUIT.title,
    text: () => (isOnlyInRace ? words.QUIT.alone : isRacing ? words.QUIT.race : words.QUIT.room),
    // In a race with others `leave` asks once more.
    answers: [{ keys: ['Q'], text: words.QUIT.yes, act: () => app.leave(isOnlyInRace) }],
    back: words.BACK,
  });
}

/** Let the player change the colours of the table and of the cards. @param {Manual} words */
export function changeColours(words) {
  /** Return the number and the name of the chosen colours. @param {'table' | 'cards'} name */
  function choiceOf(name) {
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
    text: () => words.colours(choiceOf('table'), choiceOf('cards')),
    answers: [
      { keys: ['B'], text: background, act: () => preferNext('table'), stays: true },
      { keys: ['F'], text: cards, act: () => preferNext('cards'), stays: true },
    ],
    back: words.BACK,
  });
}

/** The number of each level of exceptions. @type {Readonly<Record<'easy' | 'hard', number>>} */
export const LEVEL = { easy: 1, hard: 2 };

/** Let the host choose the level of the next game, or announce why it cannot be chosen now. @param {App} app @param {Manual} words */
export function chooseLevel(app, words) {
  const state = app.state();
  const { room } = state;
  const level = room?.settings.exceptions ?? 'off';
  if (!room || level === 'off') {
    app.announce(`${strings.LEVELS.off} ${words.LEVEL.none}`);
    return;
  }
  const isBetween = room.state === 'LOBBY' || room.state === 'FINISHED';
  if (!isBetween || !amHost(state)) {
    const reason = amHost(state) ? words.LEVEL.racing : words.LEVEL.host;
    app.announce(`${words.currently(LEVEL[level])} ${reason}`);
    return;
  }
  /** @type {readonly ('easy' | 'hard')[]} */
  const levels = ['easy', 'hard'];
  openPrompt({
    title: words.currently(LEVEL[level]),
    text: () => (isOnlyPlayer(state) ? words.LEVEL.next : words.LEVEL.all),
    answers: levels.map((each) => ({
      keys: [String(LEVEL[each])],
      text: words.LEVELS[each],
      act: () => playAtLevel(app, words, each),
    })),
    back: words.BACK,
  });
}

/**
 * Play the next game at a level; on the results of a player alone it begins at once.
 * @param {App} app
 * @param {Manual} words
 * @param {'easy' | 'hard'} exceptions
 */
export function playAtLevel(app, words, exceptions) {
  for (const message of playOnMessages(app.state(), exceptions)) app.send(message);
  app.announce(words.levelNow(LEVEL[exceptions]));
}

/**
 * Return the actions of the race that replace the modern ones.
 * @param {{app: App, player: Player, cursor: () => {pile: string} | null}} race
 * @returns {Promise<Record<ClassicCommand, () => void>>}
 */
export async function classicActions({ app, player, cursor }) {
  const words = await loadClassic();
  const announceCancel = () => app.announce(strings.PLAY.notDone);

  /** Deal, after a question if the player prefers that. */
  function askDeal() {
    const view = tableOf(player);
    if (view?.counts.stock === 0) {
      const stockSize = gameInfo(view.game)?.stock ?? 0;
      openPrompt({ title: words.allDealt(stockSize), answers: [], back: words.BACK });
      return;
    }
    const isLegal = view?.legal.some(({ type }) => type === 'deal') ?? false;
    if (!isLegal || !preference('confirmDeal')) {
      deal(player, true);
      return;
    }
    grab(player, null);
    openPrompt({
      title: words.DEAL.title,
      answers: [{ keys: ['F10', '0'], text: words.DEAL.yes, act: () => deal(player, true) }],
      back: words.BACK,
      cancelled: announceCancel,
    });
  }

  /** Begin a new practice game, after a question if the player prefers that. */
  function restart() {
    if (!isOnlyRacer(app.state())) {
      app.announce(words.NEW_RACE);
      return;
    }
    const begin = () => {
      const { room } = app.state();
      if (room?.state === 'RUNNING') for (const message of newGameMessages(room)) app.send(message);
    };
    if (!preference('confirmDeal')) {
      begin();
      return;
    }
    openPrompt({
      title: words.NEW.title,
      text: () => words.NEW.text,
      answers: [{ keys: ['F8', '8'], text: words.NEW.yes, act: begin }],
      back: words.BACK,
      cancelled: announceCancel,
    });
  }

  return {
    deal: askDeal,
    dealSure() {
      if (player.awaited === 'deal') deal(player, true);
      else app.announce(words.DEAL_FIRST);
    },
    restart,
    restartSure: () => app.announce(words.NEW_FIRST),
    // Only the suit under the cursor is removed, since keeping a suit can be a strategy.
    remove: () => removeSuit(player, cursor()?.pile),
    level: () => chooseLevel(app, words),
    colours: () => changeColours(words),
    quit: () => quit(app, words),
  };
}
