// The race: the table, what the player does to it, the clock and the others.

import { ask } from './ask.js';
import { bindBoard } from './board.js';
import { bindDrag } from './drag.js';
import { h, write } from './element.js';
import { autoMove, longest, meant, pileOf, sources, targets } from './hand.js';
import { bindKeyboard } from './keyboard.js';
import { likes, setLiking } from './preferences.js';
import { mySeat } from './reducer.js';
import { bindStandings } from './standings.js';
import * as strings from './strings.js';

/**
 * @import {State} from './reducer.js'
 * @import {Hand} from './hand.js'
 * @import {App} from './main.js'
 */

/** @param {HTMLElement} root @param {App} app */
export function bindRace(root, app) {
  const boardRoot = h('section', {
    class: 'board',
    id: 'board',
    tabindex: '-1',
    'aria-label': 'Table',
  });
  const side = h('aside', { class: 'side' });
  const time = h('span', { class: 'time', id: 'clock', role: 'timer', 'aria-label': 'Time' });
  const left = h('span', { class: 'left' });
  const score = h('b', { id: 'score' });
  const moves = h('b', { id: 'moves' });
  const home = h('b', { id: 'home' });
  const hidden = h('b', { id: 'face-down' });
  const cheats = h('b', { id: 'cheats' });
  const figure = (/** @type {HTMLElement} */ value, /** @type {string} */ words) =>
    h('span', { class: 'figure' }, value, h('span', { text: words }));
  const cheating = figure(cheats, 'peeks');
  const done = h('div', { class: 'done', id: 'done', hidden: true });

  /** @param {string} id @param {string} words @param {string} key @param {() => void} act */
  function button(id, words, key, act) {
    const title = key ? `${words} (${key})` : words;
    const made = h('button', { id, type: 'button', title, text: words });
    made.addEventListener('click', (event) => {
      act();
      if (event.detail > 0) boardRoot.focus({ preventScroll: true });
    });
    return made;
  }
  const buttons = {
    deal: button('deal', 'Deal', 'D', deal),
    undo: button('undo', 'Undo', 'Z', () => attempt({ type: 'undo' })),
    redo: button('redo', 'Redo', 'Shift+Z', () => attempt({ type: 'redo' })),
    remove: button('remove', 'Remove suit', 'R', remove),
    finish: button('finish', 'Finish', '', finish),
  };
  buttons.deal.classList.add('primary');
  buttons.finish.classList.add('primary');
  const mute = h('button', { id: 'mute', type: 'button', class: 'icon', onclick: toggleMute });
  const colours = h('button', {
    id: 'colours',
    type: 'button',
    class: 'icon',
    title: 'Four colours',
    onclick: toggleColours,
  });
  const forfeit = h('button', { id: 'forfeit', type: 'button', class: 'quiet', text: 'Give up' });
  forfeit.addEventListener('click', giveUp);
  const leave = h('button', { id: 'leave', type: 'button', class: 'quiet', text: 'Leave' });
  leave.addEventListener('click', app.leave);

  const race = h(
    'div',
    { class: 'race' },
    h(
      'header',
      { class: 'bar-top' },
      h('div', { class: 'clocks' }, time, left),
      h(
        'div',
        { class: 'figures' },
        figure(score, 'score'),
        figure(moves, 'moves'),
        figure(hidden, 'face down'),
        figure(home, 'suits home'),
        cheating,
      ),
      h('div', { class: 'tools' }, colours, mute, forfeit, leave),
    ),
    h(
      'nav',
      { class: 'actions', 'aria-label': 'Moves' },
      buttons.remove,
      buttons.undo,
      buttons.redo,
      buttons.finish,
      buttons.deal,
    ),
    h('div', { class: 'felt' }, boardRoot, done),
    side,
  );
  root.replaceChildren(race);
  const board = bindBoard(boardRoot);
  const standings = bindStandings(side);
  /** @type {Hand | null} */
  let hand = null;
  /** @type {Hand | null} */
  let air = null;
  /** @type {import('./protocol.d.ts').TableView | null} */
  let drawn = null;
  let noticed = app.state().notice?.n ?? 0;

  const table = () => {
    const state = app.state();
    const racing = mySeat(state)?.state === 'RACING' && !state.play?.base.outcome;
    return racing ? (state.play?.shown ?? null) : null;
  };

  /** @param {import('./table.js').Attempt} action */
  function attempt(action) {
    hand = null;
    if (table()) app.act(action);
    mark();
  }

  function deal() {
    attempt({ type: 'deal' });
  }

  function remove() {
    const view = table();
    const action = view?.legal.find((each) => each.type === 'remove');
    if (action) attempt(action);
    else app.announce('No complete suit stands at the end of a column.');
  }

  async function finish() {
    const view = table();
    if (!view) return;
    const yes =
      !view.stuck ||
      (await ask({
        title: 'Finish here?',
        text: 'No move is left. Your score stands as it is.',
        yes: 'Finish',
        no: 'Not yet',
      }));
    if (yes) attempt({ type: 'finish' });
  }

  async function giveUp() {
    const yes = await ask({
      title: 'Give up this race?',
      text: 'Your score stands as it is, and you can watch the others.',
      yes: 'Give up',
      no: 'Play on',
      grave: true,
    });
    if (yes) app.say({ type: 'forfeit' });
    boardRoot.focus({ preventScroll: true });
  }

  function toggleMute() {
    setLiking('muted', !likes('muted'));
    app.sound.wake();
    taste();
  }

  function toggleColours() {
    setLiking('fourColours', !likes('fourColours'));
    taste();
  }

  function taste() {
    const muted = likes('muted');
    mute.setAttribute('aria-pressed', String(muted));
    mute.setAttribute('aria-label', 'Mute');
    write(colours, '♦');
    colours.setAttribute('aria-pressed', String(likes('fourColours')));
    colours.setAttribute('aria-label', 'Four colours');
    document.body.classList.toggle('four-colours', likes('fourColours'));
  }

  const player = {
    table,
    deal,
    /** @param {Hand} from @param {string} to */
    put(from, to) {
      attempt({ type: 'move', from: from.pile, count: Math.min(13, from.count), to });
    },
    /** @param {Hand} from */
    auto(from) {
      const view = table();
      const move = view && autoMove(view, from);
      if (move) attempt(move);
      else {
        hand = null;
        mark();
        board.shake(from.pile, from.count);
        app.announce('There is no place for these cards but a space.');
      }
    },
    /** @param {Hand | null} from */
    grab(from) {
      air = from;
      hand = null;
      mark();
    },
    /** @param {string} pile @param {number} count -1 for as many as can move */
    pick(pile, count) {
      const view = table();
      if (!view) return false;
      const next = { pile, count: count < 0 ? longest(view, pile) : count };
      if (!hand) hand = pileOf(view, pile)?.role === 'tableau' ? next : null;
      else if (hand.pile === pile) hand = hand.count === next.count ? null : next;
      else {
        const action = meant(view, hand, next);
        if (action) {
          attempt(action);
          return false;
        }
        hand = next;
      }
      mark();
      return hand === next;
    },
  };
  const drag = bindDrag(board, player);
  const keyboard = bindKeyboard(board, player, {
    undo: () => attempt({ type: 'undo' }),
    redo: () => attempt({ type: 'redo' }),
    remove,
    escape() {
      drag.cancel();
      hand = null;
      mark();
    },
    moved: () => mark(),
  });

  function mark() {
    const view = table();
    const from = air ?? hand;
    let open = view && from && from.count > 0 ? targets(view, from) : new Set();
    if (view && from && !air && open.size === 0) open = sources(view, from.pile);
    const complete = new Set();
    for (const action of view?.legal ?? []) if (action.type === 'remove') complete.add(action.from);
    board.mark({ hand, cursor: view ? keyboard.cursor() : null, open, complete });
  }

  function tick() {
    const state = app.state();
    const round = state.room?.round;
    if (!round) return;
    const own = state.standings.find((standing) => standing.seat === state.me?.seat);
    const ended =
      own?.finished_ms ?? (state.play?.base.outcome ? state.play.base.elapsed_ms : null);
    write(time, strings.clock(ended ?? app.now() - round.t0));
    const rest = round.t_end === null ? null : round.t_end - app.now();
    write(left, rest === null || ended !== null ? '' : `${strings.clock(rest)} left`);
    left.classList.toggle('soon', rest !== null && rest < 60_000);
  }
  const timer = setInterval(tick, 200);

  /** @param {State} state */
  function drawFigures(state) {
    const view = state.play?.shown;
    const counts = view?.counts;
    write(score, String(view?.score ?? '–'));
    write(moves, String(counts?.moves ?? '–'));
    write(home, String(counts?.suits ?? '–'));
    write(hidden, String(counts?.face_down ?? '–'));
    write(cheats, String(counts?.cheats ?? 0));
    cheating.hidden = !counts?.cheats;
    const legal = table()?.legal ?? [];
    const has = (/** @type {string} */ type) => legal.some((action) => action.type === type);
    const sit = table() !== null;
    buttons.undo.hidden = state.room?.settings.undo === 'off';
    buttons.redo.hidden = buttons.undo.hidden;
    buttons.undo.classList.toggle('faint', !has('undo'));
    buttons.redo.classList.toggle('faint', !has('redo'));
    buttons.deal.classList.toggle('faint', !has('deal'));
    buttons.remove.hidden = !has('remove');
    buttons.remove.classList.toggle('glowing', has('remove'));
    // Who may finish has nothing to deal: one takes the place of the other.
    buttons.finish.hidden = !has('finish');
    buttons.deal.hidden = has('finish');
    for (const each of [buttons.undo, buttons.redo, buttons.deal]) each.disabled = !sit;
    forfeit.hidden = mySeat(state)?.state !== 'RACING';
    leave.hidden = !forfeit.hidden;
  }

  /** What stands over the table once there is nothing more to do on it. @param {State} state */
  function drawDone(state) {
    const seat = mySeat(state);
    const outcome = state.play?.base.outcome;
    const over = outcome || (seat && ['FINISHED', 'FORFEIT', 'TIMED_OUT'].includes(seat.state));
    done.hidden = !over;
    if (!over) return;
    const own = state.standings.find((standing) => standing.seat === seat?.seat);
    const others = state.standings.filter((each) => each.state === 'RACING' && each !== own).length;
    const title =
      outcome === 'won' ? 'Home!' : seat?.state === 'FORFEIT' ? 'You gave up' : 'Finished';
    const place =
      own?.place && seat?.state !== 'FORFEIT' ? `${strings.ordinal(own.place)} so far. ` : '';
    const rest =
      others > 0 ? `${strings.count(others, 'player')} still racing.` : 'The result is coming.';
    const text = `${title}|${place}${rest}`;
    if (done.dataset.text === text) return;
    done.dataset.text = text;
    done.replaceChildren(h('strong', { text: title }), h('span', { text: place + rest }));
  }

  /** @param {State} state */
  function react(state) {
    const notice = state.notice;
    if (!notice || notice.n === noticed) return;
    noticed = notice.n;
    if (notice.kind !== 'refused' || notice.command !== 'act') return;
    app.sound.play('no');
    const tried = notice.attempt;
    if (tried?.type === 'move') board.shake(tried.from, tried.count);
    if (notice.code === 'deal_empty_column')
      for (const pile of notice.details.piles) board.point(pile);
  }

  taste();

  return {
    /** @param {State} state */
    update(state) {
      const seat = mySeat(state)?.state ?? 'WATCHING';
      const sits = state.play !== null || seat === 'RACING' || seat === 'FINISHED';
      race.classList.toggle('watching', !sits);
      const view = state.play?.shown ?? null;
      if (view && view !== drawn) {
        board.draw(view, drawn !== null);
        if (!drawn) boardRoot.focus({ preventScroll: true });
        drawn = view;
        if (hand && !pileOf(view, hand.pile)) hand = null;
      }
      mark();
      drawFigures(state);
      drawDone(state);
      standings.update(state);
      react(state);
      tick();
    },
    unbind() {
      clearInterval(timer);
      drag.unbind();
      keyboard.unbind();
      standings.unbind();
      board.unbind();
    },
  };
}
