// The two pages of a finished round: the results, for people in its room, and the page behind the round's link, which
// needs neither a seat nor a connection.

import { bestOf, keepOf } from '../browser/storage.js';
import { celebrate } from '../celebration/celebration.js';
import { roundIn } from '../page/addresses.js';
import { keepFetching } from '../page/loads.js';
import { fetchRound } from '../replay/course.js';
import { unbindReplay } from '../replay/replay.js';
import * as frame from '../room/frame.js';
import { bindMatch, bindTally } from '../room/match.js';
import { keepRulesOpen } from '../room/rules.js';
import * as nextGame from '../state/next-game.js';
import { amHost, coloursOf, isForOne, isOpenRace, mySeat, programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, every, h, set } from '../widgets/element.js';
import { sendButton } from '../widgets/sharing.js';
import { POLL_MS } from './days.js';
import { fetchDuel, haveGhost, keepDuel } from './duel.js';
import { bindRound, dealAgain, drawRound } from './round.js';
import { photoFinishOf } from './verdict.js';

/**
 * @import {RoomView, RoundCourse, RoundOver, Standing} from '../contract/messages.d.ts'
 * @import {App, Bound} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {State} from '../state/state.js'
 * @import {Duel} from './duel.js'
 * @import {View} from './round.js'
 * @typedef {ReturnType<typeof makeResults>} Page
 * @typedef {State & {room: RoomView, over: RoundOver}} Ended the state of the page after a round
 */

/** Store a practice result if it is the best one; return a sentence about the best, or ''. @param {Ended} state */
function keepBest({ room, me, over }) {
  const own = over.ranking.find(({ seat }) => seat === me?.seat);
  if (!own || !isForOne(room) || room.round?.cards) return ''; // cards that were played before don't count
  const { game } = room.settings;
  const result = nextGame.resultOf(own);
  const before = bestOf(game);
  const beatsEarlier = before !== null && nextGame.isBetter(before, result);
  const best = before && !beatsEarlier ? before : result;
  if (best === result) {
    keepOf('best-game', game, result);
    keepOf('best-course', game, null); // drops the previous best game's course
    keepCourse({ code: room.code, n: over.n }, game, own);
  }
  const hasAny = beatsEarlier || best.score > 0 || best.ms !== null;
  return hasAny ? strings.bestResult(best, beatsEarlier ? before : null) : '';
}

/** Store a best game's course as a practice ghost. @param {RoundId} id @param {string} game @param {Standing} own */
async function keepCourse(id, game, { seat, finished_ms: end, won }) {
  const round = await fetchRound(id).catch(() => null); // without it there is no ghost
  const course = round?.courses.find((each) => each.seat === seat);
  if (!course || end === null) return;
  const { ms, score, suits } = course;
  keepOf('best-course', game, { ms, score, suits, end, won });
}

/** Return a round's match and the `number` of the round's game in it; null for a single round. @param {Ended} state */
function matchOfRound({ room: { match }, over }) {
  if (!match || match.rounds < 2) return null;
  // `match.n` lists the rounds by their numbers in the room, and `match.numbers` their games' numbers in the match.
  const index = match.n.indexOf(over.n);
  return index < 0 ? null : { ...match, number: match.numbers[index] ?? 1 };
}

/**
 * Lay out a page: the round's parts, its match's score card, and the bottom bar.
 * @param {View} parts @param {HTMLElement} bar @param {HTMLElement | null} match
 * @param {...Node} actions beside the deal
 */
function layOut({ duo, review, replay, ranking, deal }, bar, match, ...actions) {
  const acts = h('div', { class: 'row results-wide' }, deal, ...actions);
  const shown = [duo, review.element, replay.element, match, ranking, acts];
  const grid = h('div', { class: 'page stack results-grid' }, ...shown);
  return h('div', { class: 'results', id: 'results' }, grid, bar);
}

/** Return whether to offer a challenge: after an act, with a known deal. @param {RoundOver} over @param {number} me */
const canChallenge = ({ ranking, reveal }, me) =>
  reveal.deck.length > 0 &&
  ranking.some(({ seat, has_acted }) => seat === me && has_acted !== false);

/** Make the object that holds the page's elements and state. @param {App} app */
function makeResults(app) {
  const words = strings.GHOST;
  const cutOffNote = h('p', { id: 'cut-off', hidden: true }); // says that the race ended a game
  const sends = { id: 'challenge', 'data-size': 'small', hidden: true, text: words.challenge };
  const challenge = sendButton(sends, () => challengeOf(app.state()), app.announce);
  return {
    ...{ app, cutOffNote, challenge },
    parts: bindRound(app, strings.RESULTS.over, cutOffNote, h('p', {}, challenge)),
    nextSteps: bindNextSteps(app),
    matchCard: bindMatch(app),
    tally: bindTally(),
    keeping: frame.bindKeeping(app),
    head: frame.bindTableHead(app, 'room'),
    gameAndPlayers: h('span', { class: 'text-cut' }),
    shownRound: /** @type {number | undefined} */ (undefined),
    /** A sentence about the best practice result, or about all duels with a ghost's player. */
    remark: '',
    /** This player's game and the ghost's; null without a ghost, undefined until it has been fetched. */
    duel: /** @type {Duel | null | undefined} */ (null),
    stopFetching() {}, // replaced when a ghost's game is fetched
  };
}

/** Bind the results that players see after a round. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindResults(root, app) {
  const page = makeResults(app);
  const { parts, nextSteps, matchCard, tally, keeping, head, gameAndPlayers, cutOffNote } = page;
  // The link opens another tab, since this one has the seat.
  const looks = { class: 'buttons-link', 'data-kind': 'quiet', 'data-size': 'small' };
  const opens = { id: 'to-yours', href: '/yours', target: '_blank' };
  const yours = h('a', { ...looks, ...opens, text: strings.LANDING.yours });
  matchCard.element.classList.add('results-wide');
  const actions = [keeping.element, parts.again, yours, tally.element];
  root.replaceChildren(layOut(parts, nextSteps.element, matchCard.element, ...actions));
  const middle = h('p', { class: 'top-middle' }, gameAndPlayers);
  return {
    update(state) {
      const { room, over } = state;
      if (room && over) showOver(page, { ...state, room, over });
      page.shownRound = over?.n;
      nextSteps.update();
      for (const part of [matchCard, tally, keeping, head]) part.update(state);
      middle.hidden = Boolean(room?.kept);
      // After a round of a match the tally of won rounds is news, so it goes to the top.
      const isOfMatch = room?.match && room.match.rounds > 1;
      if (isOfMatch && tally.element.nextSibling !== cutOffNote) cutOffNote.before(tally.element);
      const players = over?.ranking.length ?? 0;
      if (room) set(gameAndPlayers, { text: strings.gameAmong(room.settings.game, players) });
    },
    top: [frame.leaveButton(app.leave, true), middle, head.views, head.menu],
    unbind() {
      head.unbind();
      page.stopFetching();
      nextSteps.unbind();
      unbindReplay(parts.replay);
    },
  };
}

/** Return the link and the text of a challenge to race against this player's game. @param {State} state */
function challengeOf({ room, me, over }) {
  const own = over?.ranking.find(({ seat }) => seat === me?.seat);
  const path = `/g/${room?.code}/${over?.n}/${me?.seat}`;
  return { path, text: own ? strings.challengeText(own) : '' };
}

/** Show a finished round, and read its verdict out if it is new. @param {Page} page @param {Ended} state */
function showOver(page, state) {
  const isNew = state.over.n !== page.shownRound;
  if (isNew) {
    receiveRound(page, state);
    followGhost(page, state);
  }
  const verdict = draw(page, state);
  if (isNew && verdict) page.app.readOut(verdict);
}

/** Handle a new result: store it, celebrate, and inform cut-off latecomers. @param {Page} page @param {Ended} state */
function receiveRound(page, state) {
  const { room, over } = state;
  const me = state.me?.seat ?? -1;
  const own = over.ranking.find(({ seat }) => seat === me);
  page.remark = keepBest(state);
  if (photoFinishOf(over, me, room.settings)) page.app.sound.play('photo');
  // Celebrate only a won game: a race can also be won with an unfinished one.
  if (own?.won) celebrate(`${room.code}/${over.n}`);
  const isLate = own !== undefined && own.late_ms !== null && !isOpenRace(room);
  const isCutOff = isLate && own.state === 'TIMED_OUT';
  set(page.cutOffNote, { hidden: !isCutOff, text: strings.NEWS.cutOff });
}

/** If this player raced against a ghost, fetch its game and show both games. @param {Page} page @param {Ended} state */
function followGhost(page, { room, over, me }) {
  const { app } = page;
  page.stopFetching();
  const cards = room.round?.cards ?? ''; // where its deal comes from, such as `ROOM/1/0`
  const isDuel = haveGhost(cards);
  page.duel = isDuel ? undefined : null; // undefined: still to be fetched
  if (!isDuel) return;
  showDuelSteps(page, cards);
  const { stop } = keepFetching(
    () => fetchDuel(cards, { room, over, me: me?.seat ?? -1 }),
    (found) => {
      page.duel = found ?? null;
      const missing = found === null ? strings.GHOST.expired : strings.UNREACHED;
      page.remark = found ? keepDuel(cards, found) : missing;
      showDuelSteps(page, cards);
      const now = app.state();
      if (now.room && now.over) app.readOut(draw(page, /** @type {Ended} */ (now)));
      return 0; // fetch it only once
    },
  );
  page.stopFetching = stop;
}

/** Offer the next steps after a duel: another try, or a challenge back. @param {Page} page @param {string} cards name the ghost's game */
function showDuelSteps({ app, duel, challenge, nextSteps }, cards) {
  const words = strings.GHOST;
  const isWon = duel?.isWon ?? false;
  let text = ''; // until the duel has been fetched
  if (duel) text = isWon ? strings.dare(duel.rival.name, duel.own) : words.firstCounts;
  const onclick = () => dealAgain(app, cards);
  const again = h('button', { id: 'rematch', 'data-size': 'big', text: words.again, onclick });
  set(again, { 'data-kind': !isWon && 'primary' });
  set(challenge, { 'data-size': 'big', 'data-kind': isWon && 'primary' });
  // The first child holds the button's text.
  set(challenge.children[0] ?? challenge, { text: isWon ? words.send : words.back });
  nextSteps.element.replaceChildren(h('p', { id: 'next-steps', text }), again, challenge);
}

/** Draw a round; return its verdict, or '' while its duel is being fetched. @param {Page} page @param {Ended} state */
function draw({ parts, duel, remark, challenge }, state) {
  const { room, over } = state;
  const me = state.me?.seat ?? -1;
  if (duel === undefined) return ''; // still being fetched
  set(challenge, { hidden: !canChallenge(over, me) });
  const match = matchOfRound(state);
  const { cards: scoreCards = [], winners = [] } = match ?? {};
  const names = scoreCards.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name);
  const title = strings.matchVerdict(names, winners.includes(me));
  return drawRound(parts, {
    id: duel?.id ?? { code: room.code, n: over.n },
    result: duel?.result ?? over,
    isDuel: duel !== null,
    me,
    settings: room.settings,
    match,
    programs: programSeats(room),
    colours: coloursOf(room, over),
    final: match?.over ? { ranking: scoreCards, winners, title } : null,
    remark,
    promised: state.promisedDeal?.commitment,
  });
}

/** Bind the page of the round that the address names. @param {HTMLElement} root @param {App} app @returns {Bound} */
export function bindFinished(root, app) {
  const words = strings.FINISHED;
  const id = roundIn(location.pathname) ?? { code: '', n: 0 }; // none: the page says that it is missing
  const about = h('p', { id: 'about' });
  const parts = bindRound(app, strings.REPLAY.loading);
  const link = { class: 'buttons-link', href: `/r/${id.code}`, text: words.room };
  const bar = h('footer', { class: 'bar' }, about, h('a', link), parts.again);
  set(parts.again, { 'data-kind': 'primary', 'data-size': 'big', hidden: true });
  const later = [parts.replay.element, parts.ranking, parts.deal]; // hidden until the round is here
  for (const part of later) part.hidden = true;
  root.replaceChildren(layOut(parts, bar, null));
  const { stop } = keepFetching(
    () => fetchRound(id),
    (round) => {
      if (!round) {
        parts.head.write({ rest: round === null ? words.gone : strings.REPLAY.loading });
        set(about, { text: round === null ? words.why : strings.UNREACHED });
        return POLL_MS; // the round may still be running
      }
      set(about, { text: strings.raceAbout(round) });
      for (const part of later) part.hidden = false;
      drawFinished(parts, id, round);
      return 0; // a finished round never changes
    },
  );
  return { update() {}, unbind: callAll(stop, () => unbindReplay(parts.replay)) };
}

/** Draw a round for somebody who was not in it. @param {View} parts @param {RoundId} id @param {RoundCourse} round */
function drawFinished(parts, id, round) {
  drawRound(parts, {
    id,
    result: round,
    me: -1,
    settings: round.settings,
    programs: new Map(round.programs.map((seat) => [seat, null])), // of unknown strength
    colours: coloursOf(null, round),
    promised: null, // this page did not see the hash before the race
  });
}

// The bar after a round: every player can ask for the next race, and the host can change the rules in the lobby.

const LEVELS = /** @type {const} */ (['easy', 'hard']);
const TICK_MS = 1_000;

/** Return the text of the next race's button. @param {State} state @param {RoomView} room @param {boolean} hasOthers */
function nextRaceLabel(state, { match, settings }, hasOthers) {
  const words = strings.RESULTS;
  if (mySeat(state)?.role === 'spectator') return words.join;
  const again = nextGame.repeatedGame(state);
  if (again) return strings.ROUNDS.again(again);
  if (match && match.rounds > 1)
    return match.over ? words.newMatch : strings.nextOf(match.n.length + 1, match.rounds);
  if (hasOthers) return words.rematch;
  return settings.deal === 'secret' ? words.newDeal : words.replay;
}

/** Bind the bottom bar of the results, with the buttons for the next race. @param {App} app */
function bindNextSteps(app) {
  const wait = h('p', { id: 'next-steps' });
  const levels = LEVELS.map((exceptions, i) => {
    const playOn = () => nextGame.playOnMessages(app.state(), exceptions).forEach(app.send);
    return h('button', { 'data-level': i + 1, text: strings.againAt(i + 1), onclick: playOn });
  });
  const onclick = () => toggleRematch(app);
  const rematch = h('button', { id: 'rematch', 'data-size': 'big', onclick });
  const start = h('button', { id: 'start', onclick: () => app.send({ type: 'start' }) });
  const lobby = h('button', { id: 'next', onclick: () => changeRules(app) }, strings.ROOM.change);
  const element = h('footer', { class: 'bar' }, wait, lobby, ...levels, start, rematch);
  const unshare = frame.shareHeight(element);
  const steps = { app, wait, levels, rematch, start, lobby };
  // If new words and buttons were drawn at once, other buttons would move away from under a pointer.
  const update = frame.makeSteadyDraw(element, () => drawNextSteps(steps));
  // No message says that the wait for other players is over, so look now and then.
  const stop = every(TICK_MS, update);
  return { element, update, unbind: callAll(stop, unshare) };
}

/** Vote for the next race, or take the vote back. Nobody votes for open races: hosts start them. @param {App} app */
function toggleRematch(app) {
  if (isOpenRace(app.state().room)) app.send({ type: 'start' });
  else app.send({ type: 'rematch', wanted: mySeat(app.state())?.state !== 'READY' });
}

/** Go to the rules in the lobby. @param {App} app */
function changeRules(app) {
  keepRulesOpen(app.state().room?.code ?? '');
  app.send({ type: 'next_round' });
}

/**
 * Draw the bar's sentence and buttons after a round.
 * @param {{app: App, levels: HTMLElement[]} & Record<'wait' | 'rematch' | 'start' | 'lobby', HTMLElement>} steps
 */
function drawNextSteps({ app, wait, levels, rematch, start, lobby }) {
  const words = strings.RESULTS;
  const state = app.state();
  const { room } = state;
  if (!room) return;
  const next = nextGame.nextRace(state);
  const hasVoted = next.isWanted;
  const isHost = amHost(state);
  const level = room.settings.exceptions;
  // A host with no opponents starts the next game by picking its level, if the game has levels.
  const isChosenByLevel = isHost && !next.hasOthers && level !== 'off';
  const isHostsChoice = isOpenRace(room); // in other rooms the players vote
  set(wait, { text: isHostsChoice ? '' : strings.nextRaceLine(next) });
  levels.forEach((button, i) => {
    const isSame = isChosenByLevel && LEVELS[i] === level;
    set(button, { hidden: !isHost || level === 'off', 'data-kind': isSame && 'primary' });
  });
  set(rematch, {
    text: hasVoted ? words.notAfterAll : nextRaceLabel(state, room, next.hasOthers),
    hidden: isChosenByLevel || (isHostsChoice && !isHost),
    'data-kind': !hasVoted && 'primary',
  });
  set(lobby, { hidden: !isHost });
  const mayStart = nextGame.mayStart(state, app.now());
  set(start, { hidden: !mayStart, text: strings.startWithout(next.missing) });
}
