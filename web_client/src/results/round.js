// The parts of both pages of a finished round: the verdict and the podium, the replay, the ranking, the review of this
// player's game, and the link, the picture and the deal. The server draws the picture as SVG, and the browser, which
// has fonts for all names, makes a PNG of it.

import { kept } from '../browser/storage.js';
import { GAMES } from '../contract/protocol.js';
import { capital } from '../contract/text.js';
import { markTurn } from '../replay/chart.js';
import { dataPath, fetchTape, indexAt, nameOfCards } from '../replay/course.js';
import { bindReplay, playWin, showRound } from '../replay/replay.js';
import { sameDeal } from '../state/next-game.js';
import { isGhostSeat, mySeat, shownPlace } from '../state/state.js';
import { spoken, strings } from '../strings/language.js';
import { h, keyed, set } from '../widgets/element.js';
import { linkFor, linkRow, saveFile, share } from '../widgets/sharing.js';
import * as parts from './parts.js';
import { checkDeal } from './proof.js';
import * as verdict from './verdict.js';

/**
 * @import {GameReview, Reveal} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Step} from './parts.js'
 * @import {Played, Round} from './verdict.js'
 * @typedef {ReturnType<typeof bindRound>} View the parts and the round that they show
 */

const PICTURE_TYPE = 'image/png';

/** Return a player's name and looks. @param {Round} round @param {{seat: number, name: string}} player */
const shownAs = ({ result, me, programs, colours }, { seat, name }) => ({
  ...{ seat, isOwn: seat === me, colour: colours(seat), program: programs.get(seat) },
  name: seat === me && result.ranking.length > 1 ? strings.you(name) : name,
});

/** Return the rows of the ranking. @param {Round} round @param {ReadonlyMap<number, GameReview>} reviewsBySeat */
function rowsOf(round, reviewsBySeat) {
  const { result, settings } = round;
  const isAlone = result.ranking.length === 1;
  const of = GAMES[settings.game]?.foundations ?? 0;
  return result.ranking.map((standing) => {
    const { seat, won, score, suits } = standing;
    const who = shownAs(round, standing);
    const tieBreak = result.tie_breaks.find((each) => each.seat === seat)?.by;
    const review = reviewsBySeat.get(seat);
    const ending = verdict.endingOf(standing, isAlone);
    const isByTime = won && settings.ranking === 'first_home';
    const about = [
      isGhostSeat(seat) && strings.GATE.ghost,
      who.program && strings.STRENGTHS[who.program],
      !isByTime && ending,
      ...strings.explained(standing),
      tieBreak && strings.TIE_BREAKS[tieBreak],
      review && strings.reviewLine(review),
    ];
    return {
      ...{ ...who, suits, of },
      place: result.winners.length > 0 ? shownPlace(standing) : null,
      isFirst: result.winners.includes(seat),
      small: about.filter(Boolean).join(' · '),
      result: isByTime ? ending : score,
      behind: verdict.behindFirst(result, standing, settings),
    };
  });
}

/** Return the podium's steps for the round or, once it is over, the match. @param {Round} round @returns {Step[]} */
function stepsOf(round) {
  const { ranking, winners } = round.final ?? round.result;
  const isByTime = round.settings.ranking === 'first_home';
  return verdict.onPodium(ranking, winners.length > 0).map((player) => ({
    ...shownAs(round, player),
    place: player.place,
    result: podiumResult(player, isByTime),
  }));
}

/** Return a player's result: rounds won, time, suits or points. @param {Played} player @param {boolean} isByTime */
function podiumResult({ won, finished_ms: ms, score = 0, suits = 0, wins }, isByTime) {
  if (wins !== undefined) return strings.ROUNDS.won?.(wins) ?? '';
  if (isByTime && won) return strings.exactClock(ms ?? 0);
  const hasSuits = isByTime && suits > 0;
  return strings.inShort(hasSuits ? { by: 'suits', n: suits } : { by: 'points', n: score });
}

/** Deal an earlier game's cards again. @param {App} app @param {string} cards @param {number} [acts] to keep */
export function dealAgain({ enter }, cards, acts) {
  const name = kept('name') || strings.LANDING.nameless;
  enter({ type: 'create', name, cards, ...(acts && { acts }) }, {});
}

/**
 * Bind the review of this player's game: how long the game could still be won, with buttons to watch that win and to
 * play on from there.
 * @param {(game: GameReview) => void} showWin @param {(game: GameReview) => void} goOn called by these buttons
 */
function bindOwnReview(showWin, goOn) {
  /** @type {GameReview | undefined} */
  let current;
  const text = h('b');
  const makeButton = (/** @type {string} */ id, /** @type {typeof showWin} */ act) =>
    h('button', { id, 'data-size': 'small', onclick: () => current && act(current) });
  const [see, go] = [makeButton('win-see', showWin), makeButton('win-play-on', goOn)];
  set(see, { text: strings.RESULTS.see });
  const buttons = h('div', { class: 'row' }, see, go);
  const looks = { class: 'row between pane-row results-had results-wide', id: 'own-review' };
  const element = h('div', { ...looks, hidden: true }, text, buttons);
  return {
    element,
    /** Draw the review, or say that it will follow. @param {GameReview | undefined} game @param {boolean} mayCome */
    draw(game, mayCome) {
      current = game;
      set(element, { hidden: !game && !mayCome });
      const winnableMs = game?.known_ms ?? null; // null if no win was found
      const toCome = strings.reviewNote(1, []); // “… 1 game to go…”
      set(text, { text: game ? `${capital(strings.reviewOf(game))}.` : toCome });
      set(buttons, { hidden: winnableMs === null });
      set(go, { text: strings.playOnFrom(winnableMs ?? 0) });
    },
  };
}

/**
 * Bind the parts of a finished round.
 * @param {App} app @param {string} heading shown until a round is drawn @param {...HTMLElement} lines below the verdict
 */
export function bindRound(app, heading, ...lines) {
  const words = strings.RESULTS;
  const head = parts.makeVerdict(...lines);
  head.write({ rest: heading });
  // Screen readers have the ranking instead.
  const podium = h('ol', { class: 'results-podium', id: 'podium', 'aria-hidden': 'true' });
  const decision = h('p', { class: 'results-decided', id: 'decided' });
  const sharing = h('div', { class: 'stack', id: 'share-round' });
  const opens = { id: 'share-result', 'data-size': 'small', text: strings.COPY.share };
  const replay = bindReplay({
    // Say what decided the round, if anything did.
    onCourse(course, me) {
      const decided = verdict.decidedIn(course, me);
      if (!decided) return;
      decision.replaceChildren(h('b', { text: decided.first }), ' ', decided.rest);
      markTurn(replay.chart, decided.ms);
    },
    onReview(games, isDone) {
      [view.reviewsBySeat, view.isReviewDone] = [games, isDone];
      drawReviews(view);
    },
    deal: (cards, acts) => dealAgain(app, cards, acts),
    actions: [parts.makeToggle(opens, sharing)],
    lines: [sharing, decision],
  });
  const label = { 'aria-label': words.ranking };
  const { element: table, rows } = parts.makeRanking(label, ...words.columns);
  const caption = h('p', { class: 'text-small', id: 'round-of', hidden: true });
  const cheatNote = h('p', { class: 'text-small', 'data-part': 'cheat-note' });
  const looks = { id: 'again', 'data-kind': 'quiet', 'data-size': 'small', text: words.again };
  const view = {
    ...{ app, head, podium, decision, sharing, replay, rows, caption, cheatNote },
    duo: h('div', { class: 'row results-duo' }, head.element, podium),
    review: bindOwnReview(
      (game) => playWin(replay, game),
      (game) => playOn(view, game),
    ),
    ranking: h('div', { class: 'results-wide' }, caption, table, cheatNote),
    again: h('button', { ...looks, onclick: () => playAgain(view) }),
    deal: h('div', { class: 'row' }),
    round: /** @type {Round | null} */ (null),
    reviewsBySeat: /** @type {ReadonlyMap<number, GameReview>} */ (new Map()),
    isReviewDone: false,
  };
  return view;
}

/** Start a game from the last winnable position of a reviewed game. @param {View} view @param {GameReview} game */
async function playOn({ app, round }, { seat, known_ms: ms }) {
  const id = round?.id;
  const tape = id && (await fetchTape(id, String(seat)).catch(() => null));
  if (tape) dealAgain(app, nameOfCards(id, seat), indexAt(tape.times, ms ?? 0));
  else app.announce(strings.NOT_LOADED);
}

/** Play the deal again alone, in a new room with the same rules. @param {View} view */
function playAgain({ app, round }) {
  if (!round) return;
  const settings = sameDeal(round.settings, round.result.reveal);
  const name = kept('name') || (mySeat(app.state())?.name ?? strings.LANDING.me);
  app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
}

/** Return whether a deal is secret: others may still play it until its day is over. @param {Reveal} reveal */
const isSecret = ({ deck }) => deck.length === 0;

/** Draw the ranking, and the review of this player's game. @param {View} view */
function drawReviews({ round, rows, reviewsBySeat, isReviewDone, review, replay }) {
  if (!round) return;
  const { result, me } = round;
  keyed(rows, rowsOf(round, reviewsBySeat), JSON.stringify, parts.makeRow);
  const own = result.ranking.find(({ seat }) => seat === me);
  const isReviewable = own && !own.won && own.has_acted !== false && !isSecret(result.reveal);
  const game = reviewsBySeat.get(me);
  review.draw(game, Boolean(isReviewable && !isReviewDone));
  // A game that could be won until its end has no turning point.
  if (game && game.known_ms !== null && !game.to_the_end)
    markTurn(replay.chart, game.known_ms, capital(strings.reviewLine(game)));
}

/** Draw a round, and return its verdict as sentences for screen readers. @param {View} view @param {Round} round */
export function drawRound(view, round) {
  const { app, head, duo, podium, caption, deal, sharing, decision, replay, again } = view;
  const { id, result, me, settings, match, final, isDuel } = round;
  const isNew = view.round?.id.n !== id.n;
  const hasNewResult = isNew || view.round?.result !== result;
  view.round = round;
  const words = verdict.verdictOf(round);
  const said = head.write(words);
  set(duo, { 'data-won': Boolean(words.isFirst) });
  const text = match ? strings.roundOf(match.number, match.rounds) : '';
  set(caption, { hidden: text === '', text });
  const hidden = result.ranking.every(({ cheats }) => cheats === 0);
  set(view.cheatNote, { hidden, text: strings.cheatRule(settings.undo) });
  if (isNew) [view.reviewsBySeat, view.isReviewDone] = [new Map(), false];
  drawReviews(view);
  const steps = stepsOf(round);
  set(podium, { hidden: steps.length === 0 });
  keyed(podium, steps, JSON.stringify, parts.makeStep); // a step that has changed rises again
  if (hasNewResult) {
    deal.replaceChildren(...makeDealRecord(id, result.reveal, settings, round.promised));
    sharing.replaceChildren(...makeShare(id, app.announce));
  }
  if (!isNew) return said;
  // Reserve space for the sentence about what decided the round, which comes with the replay. After the last round the
  // page is about the whole match instead.
  const mayBeDecided = !final && verdict.hasOneWinner(result);
  set(decision, { hidden: !mayBeDecided });
  decision.replaceChildren();
  // While a deal is secret, nobody may see a replay of it.
  const isStillSecret = isSecret(result.reveal);
  set(replay.element, { hidden: isStillSecret });
  set(again, { hidden: isStillSecret || isDuel }); // after a duel another button does the same
  if (!isStillSecret) showRound(replay, id, me);
  return said;
}

/** Make a round's picture as a PNG file; rejects without the server's picture. @param {RoundId} id */
async function makePicture(id) {
  const image = new Image();
  const path = dataPath(id, '/picture.svg');
  image.src = `${path}${path.includes('?') ? '&' : '?'}lang=${spoken}`;
  await image.decode();
  const canvas = h('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, PICTURE_TYPE));
  if (!blob) throw new Error('no picture');
  return new File([blob], `spider-race-${id.code}-${id.n}.png`, { type: PICTURE_TYPE });
}

/** Make the buttons that save and share a round's picture. @param {RoundId} round @param {App['announce']} announce */
export function pictureButtons(round, announce) {
  const words = strings.RESULTS;
  /** Make a button for a picture. @param {string} id @param {string} text @param {(file: File) => void} use */
  function makeButton(id, text, use) {
    const button = h('button', { id, text });
    button.addEventListener('click', async () => {
      if (button.hasAttribute('aria-busy')) return;
      set(button, { 'aria-busy': 'true' });
      const file = await makePicture(round).catch(() => null);
      set(button, { 'aria-busy': false });
      if (file) use(file);
      else announce(strings.NOT_LOADED);
    });
    return button;
  }
  /** Share a picture, or save it if that fails. @param {File} file */
  async function shareOrSave(file) {
    if (await share({ files: [file] })) return;
    saveFile(file);
    announce(words.pictureSaved);
  }
  const buttons = [makeButton('picture-save', words.savePicture, saveFile)];
  // Over plain HTTP browsers cannot share anything.
  const sample = new File([''], 'picture.png', { type: PICTURE_TYPE });
  if (navigator.canShare?.({ files: [sample] }))
    buttons.push(makeButton('picture-share', words.sharePicture, shareOrSave));
  return buttons;
}

/** Make the ways to share a round: link, picture and text. @param {RoundId} id @param {App['announce']} announce */
function makeShare(id, announce) {
  const words = strings.RESULTS;
  const url = linkFor(`/r/${id.code}/${id.n}`);
  const link = { id: 'round-share', label: words.share, url, text: () => words.shareText };
  const href = dataPath(id, '.txt');
  const text = { class: 'buttons-link', id: 'round-text', download: true, href };
  const pictures = pictureButtons(id, announce);
  return [
    h('p', { class: 'text-small', text: words.shared }),
    linkRow('round', link, announce),
    h('div', { class: 'buttons' }, ...pictures, h('a', { ...text, text: words.text })),
  ];
}

/**
 * Check a deal, and make its elements: the result, which unfolds the facts, and a link to the round's data. Until a
 * day is over, only the hash of its deal is known.
 * @param {RoundId} id @param {Reveal} reveal
 * @param {{game: string, winnable: boolean}} settings `winnable` if the room asked for a deal that can be won
 * @param {string | null | undefined} promised the hash that was shown before the race
 */
export function makeDealRecord(id, reveal, settings, promised) {
  const words = strings.RESULTS;
  const { deal, seed, salt, commitment, number, deck, proof, degree } = reveal;
  const isStillSecret = isSecret(reveal);
  const showsWin = deal === 'secret' && settings.winnable && !isStillSecret;
  const { good, title, text } = isStillSecret
    ? { good: true, title: strings.PROOF.secret, text: strings.PROOF.later }
    : checkDeal(settings.game, promised, reveal);
  const facts = [
    [strings.SETTINGS.number, number],
    [strings.SETTINGS.seed, seed],
    [words.salt, salt],
    [words.seal, promised ?? commitment],
    [words.cards, deck.join(' ')],
  ].flatMap(([name, fact]) => (fact ? [h('dt', { text: name }), h('dd', { text: fact })] : []));
  const looks = { class: 'pill', id: 'verified', 'data-verdict': good ? 'good' : 'bad' };
  const summary = h('summary', { ...looks, text: `${good ? '✓' : '✗'} ${title}` });
  const list = h('dl', { class: 'results-facts text-note', id: 'deal-facts' }, ...facts);
  const proves = salt && h('p', { class: 'text-small', text: strings.PROVES.join(' ') });
  const about = h('div', { class: 'pane' }, h('p', { text }), list, proves);
  const ofWin = strings.winLine(Boolean(proof), degree);
  const link = { id: 'round-link', href: dataPath(id), target: '_blank', text: words.data };
  const data = h('a', { class: 'buttons-link', 'data-kind': 'quiet', ...link });
  set(data, { 'data-size': 'small' });
  return [
    h('details', { class: 'results-fold' }, summary, about),
    h('p', { class: 'text-small', id: 'known-win', hidden: !showsWin, text: ofWin }),
    ...(isStillSecret ? [] : [data]),
  ];
}
