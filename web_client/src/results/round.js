// The parts of both pages of a round that is over: the head with the podium, the ranking with the review
// of each game, the replay, and what stays of the round: a link to it, its picture and text, and its deal.
//
// The deal is checked in this browser: both the hash that was shown before the race and the deck must be
// those of the seed. The server draws the picture as SVG; this browser, which has the letters of all names,
// makes a PNG of it.

import { kept } from '../browser/storage.js';
import { deckOf, keepsCommitment } from '../game/cards.js';
import { dataPath } from '../replay/course.js';
import { bindReplay } from '../replay/replay.js';
import { sameDeal } from '../state/next-game.js';
import { mySeat, shownPlace } from '../state/state.js';
import { spoken, strings } from '../strings/language.js';
import { writeName } from '../widgets/controls.js';
import { h, keyed, set } from '../widgets/element.js';
import {
  copyButton,
  linkFor,
  saveFile,
  share,
  shareButton,
  tableHead,
} from '../widgets/room-parts.js';
import * as verdict from './verdict.js';

/**
 * @import {GameReview, Reveal, RoundCourse} from '../contract/messages.d.ts'
 * @import {App} from '../page/app.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Placed, Round} from './verdict.js'
 * @typedef {ReturnType<typeof rowsOf>[number]} Row
 */

const TYPE = 'image/png';

/** Return the rows of the ranking in words. @param {Round} round @param {ReadonlyMap<number, GameReview>} reviewed the games that were reviewed, by seat @param {boolean} isDone whether no other game will be */
function rowsOf(
  { result: { ranking, winners, tie_breaks }, me, programs, colours },
  reviewed,
  isDone,
) {
  const isAlone = ranking.length === 1;
  return ranking.map((standing) => {
    const { seat, name, score, moves, suits } = standing;
    const program = programs.get(seat);
    const tie = tie_breaks.find((each) => each.seat === seat)?.by;
    // A player without rivals gives nothing up: the practice game was stopped.
    const wasStopped = isAlone && standing.state === 'FORFEIT';
    const line = strings.resultLine(wasStopped ? { ...standing, state: 'FINISHED' } : standing);
    const results = [program && strings.STRENGTHS[program], line, tie && strings.TIE_BREAKS[tie]];
    return {
      seat,
      program,
      colour: colours(seat),
      isOwn: seat === me,
      place: winners.length > 0 ? shownPlace(standing) : null,
      name: seat === me && !isAlone ? strings.you(name) : name,
      result: results.filter(Boolean).join(' · '),
      mayBeReviewed:
        !standing.won && standing.has_acted !== false && (!isDone || reviewed.has(seat)),
      game: reviewed.get(seat),
      figures: [score, moves, suits],
    };
  });
}

/** Make a row of the ranking. @param {Row} row */
function makeRow({ seat, program, colour, isOwn, ...row }) {
  const name = h('td');
  writeName(name, row.name, program, colour);
  return h(
    'tr',
    { class: 'mark-tone', 'data-seat': seat, 'data-own': isOwn, 'data-colour': colour },
    h('td', { text: row.place }),
    name,
    h('td', { text: row.result }),
    ...row.figures.map((text) => h('td', { text })),
  );
}

/**
 * Make the row of a review, which is there from the start, so that the table does not grow later. It has
 * the width of the table: on a phone it needs one line there.
 * @param {Row} row
 * @param {(game: GameReview) => void} playWin
 */
function makeReviewRow({ colour, isOwn, game, figures }, playWin) {
  const review = h('span', { text: game && `${strings.reviewLine(game)} ` });
  if (game && game.known_ms !== null) {
    const see = { class: 'results-see', onclick: () => playWin(game) };
    review.append(h('button', see, strings.RESULTS.see));
  }
  return h(
    'tr',
    { class: 'results-review mark-tone', 'data-own': isOwn, 'data-colour': colour },
    h('td'),
    h('td', { colspan: 2 + figures.length }, review),
  );
}

/** Make a place on the podium. The ranking says the same in words. @param {Placed} placed @param {Round} round */
function makeStep({ seat, name, place }, { programs, colours }) {
  const label = h('span', { class: 'results-name', dir: 'auto' });
  writeName(label, name, programs.get(seat), colours(seat));
  const step = h('span', { class: 'results-step', text: strings.ordinal(place ?? 0) });
  return h('li', { 'data-place': place }, label, ' ', step);
}

/** Begin a game with cards that were played. @param {App} app @param {string} cards @param {number} [acts] of that game, after which it begins */
export function dealAgain({ enter }, cards, acts) {
  const name = kept('name') || strings.DAY.hidden;
  enter({ type: 'create', name, cards, ...(acts && { acts }) }, {});
}

/** Bind the parts. @param {App} app @param {string} heading until a round is drawn @param {...HTMLElement} lines below the sentences of the head */
export function bindRound(app, heading, ...lines) {
  const words = strings.RESULTS;
  const title = h('h1', { id: 'winner', text: heading });
  const margin = h('p', { class: 'results-margin', id: 'margin', hidden: true });
  const decided = h('span');
  let decidedMs = 0;
  const see = h('button', {
    class: 'results-see',
    id: 'decided-see',
    text: words.see,
    onclick: () => replay.goTo(decidedMs),
  });
  const decision = h('p', { class: 'results-decided', id: 'decided', hidden: true });
  decision.append(decided, ' ', see);
  const podium = h('ol', { class: 'results-podium', id: 'podium', 'aria-hidden': 'true' });
  const caption = h('caption', { hidden: true });
  const rows = h('tbody');
  const table = h('table', { class: 'results-ranking', id: 'ranking' });
  table.append(caption, tableHead(words.columns), rows);
  const note = h('p', { class: 'text-small results-note', 'data-part': 'cheat-note' });
  const record = h('div', { class: 'results-record' });
  const replay = bindReplay(showDecision, drawRanking, (cards, acts) =>
    dealAgain(app, cards, acts),
  );
  const again = h('button', { id: 'again', text: words.again, onclick: playAgain });
  const buttons = [again, ...pictureButtons(() => shown?.id, app.announce)];
  const headWords = h('div', { class: 'results-words' }, title, margin, decision, ...lines);
  /** @type {Round | null} */
  let shown = null;

  /** Open a room for this player alone, with the same deal and rules. */
  function playAgain() {
    if (!shown) return;
    const settings = sameDeal(shown.settings, shown.result.reveal);
    const name = kept('name') || (mySeat(app.state())?.name ?? strings.LANDING.me);
    app.enter({ type: 'create', name, settings }, { startsAtOnce: true });
  }

  /** Show what decided the round, if its place is kept and that is known. @param {RoundCourse} round @param {number} me */
  function showDecision(round, me) {
    const told = verdict.decidedIn(round, me);
    if (!told) return;
    set(decision, { 'data-empty': false }); // `draw` has kept its place
    decidedMs = told.ms ?? 0;
    see.hidden = told.ms === null;
    set(decided, { text: told.text });
  }

  /** The games that were reviewed, by seat. @type {ReadonlyMap<number, GameReview>} */
  let reviewed = new Map();

  /** Draw the ranking with the games that were reviewed. @param {ReadonlyMap<number, GameReview>} games @param {boolean} [isDone] */
  function drawRanking(games, isDone = false) {
    reviewed = games;
    if (!shown) return;
    const wanted = rowsOf(shown, games, isDone).flatMap((row) =>
      row.mayBeReviewed ? [row, { ...row, isReview: true }] : [row],
    );
    const make = (/** @type {Row & {isReview?: boolean}} */ row) =>
      row.isReview ? makeReviewRow(row, replay.playWin) : makeRow(row);
    keyed(rows, wanted, JSON.stringify, make);
  }

  /** Draw who has won, and the remark or the margin; return both in sentences. @param {Round} round */
  function drawHeading({ result, me, settings, match, final, remark }) {
    const won = final?.title ?? verdict.heading(result, me, match?.number, settings);
    const distance = remark || verdict.distance(result, me, settings);
    // At the end of a match the heading is about the match, not about its last round.
    const below = final ? '' : distance;
    set(title, { text: won });
    set(margin, { text: below, hidden: below === '' });
    const said = [won, below].filter((each) => each !== '');
    return said.map((each) => (/[.!?]$/.test(each) ? each : `${each}.`)).join(' ');
  }

  /** Draw the podium, at the end of a match that of the match. @param {Round} round */
  function drawPodium(round) {
    const { ranking, winners } = round.final ?? round.result;
    const steps = verdict.onPodium(ranking, winners.length > 0);
    podium.hidden = steps.length === 0;
    const make = (/** @type {Placed} */ step) => makeStep(step, round);
    // A step that is the same stays: a new one rises.
    keyed(podium, steps, ({ seat, name, place }) => `${seat} ${name} ${place}`, make);
  }

  return {
    title,
    head: h('header', { class: 'page-title results-head' }, headWords, podium),
    ranking: h(
      'section',
      { class: 'pane results-table', 'aria-label': words.ranking },
      table,
      note,
    ),
    replay: replay.element,
    record,
    buttons,
    unbind: replay.unbind,
    /** Draw a round, and return who has won it and by how much, in sentences. @param {Round} round */
    draw(round) {
      const { id, result, me, settings, match, final } = round;
      const isNew = shown?.id.n !== id.n;
      const isRevealed = isNew || shown?.result !== result;
      shown = round;
      const said = drawHeading(round);
      set(table, { 'data-unplaced': result.winners.length === 0 });
      const text = match ? strings.roundOf(match.number, match.rounds) : '';
      set(caption, { hidden: text === '', text });
      const hidden = result.ranking.every(({ cheats }) => cheats === 0);
      set(note, { hidden, text: strings.cheatRule(settings.undo) });
      drawRanking(isNew ? new Map() : reviewed);
      drawPodium(round);
      if (isRevealed) record.replaceChildren(...makeRecord(round, app.announce));
      if (isNew) {
        // The sentence, which comes later, has its place from the start.
        const mayBeDecided = !final && verdict.hasOneWinner(result);
        set(decision, { hidden: !mayBeDecided, 'data-empty': true });
        // Of a deal that is still secret nothing is shown to others, and so there is no page of it.
        const isSecret = result.reveal.deck.length === 0;
        for (const element of [replay.element, ...buttons]) set(element, { hidden: isSecret });
        if (!isSecret) replay.show(id, me);
      }
      return said;
    },
  };
}

/**
 * Check a deal, and return what to say of it.
 * @param {string} game
 * @param {string | null | undefined} promised the hash as it was shown before the race
 * @param {Reveal} reveal
 */
export function checkDeal(game, promised, { deal, number, seed, salt, commitment, deck }) {
  const words = strings.PROOF;
  const bad = (/** @type {string} */ text) => ({ good: false, title: words.bad, text });
  const open = number === null ? words.open : `${words.open} ${number}`;
  if (deal === 'numbered') return { good: true, title: open, text: words.numbered };
  const hash = promised ?? commitment;
  const keepsHash = Boolean(seed && salt && hash && keepsCommitment(seed, salt, hash));
  // A deal by a seed is open from the start, so no hash was promised.
  if (deal !== 'seed' && !keepsHash) return bad(words.otherSeal);
  if (!seed || deckOf(game, seed).join() !== deck.join()) return bad(words.otherDeck);
  return deal === 'seed'
    ? { good: true, title: open, text: words.seeded }
    : { good: true, title: words.good, text: words.sealed };
}

/** Return whether this browser can share pictures; it cannot over plain HTTP. */
function canSharePictures() {
  const file = new File([''], 'picture.png', { type: TYPE });
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/** Make the picture of a round. @param {RoundId} id @returns {Promise<File>} rejected if it cannot be loaded */
async function drawPicture(id) {
  const image = new Image();
  const path = dataPath(id, '/picture.svg');
  image.src = `${path}${path.includes('?') ? '&' : '?'}lang=${spoken}`;
  await image.decode();
  const canvas = h('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, TYPE));
  if (!blob) throw new Error('no picture');
  return new File([blob], `spider-race-${id.code}-${id.n}.png`, { type: TYPE });
}

/** Make the buttons that do something with the picture of a round. @param {() => RoundId | undefined} idOf @param {(text: string) => void} announce */
export function pictureButtons(idOf, announce) {
  const makeButton = (
    /** @type {string} */ id,
    /** @type {string} */ text,
    /** @type {(file: File) => void} */ use,
  ) => {
    const button = h('button', { id, text });
    button.addEventListener('click', async () => {
      const round = idOf();
      if (!round || button.hasAttribute('aria-busy')) return;
      set(button, { 'aria-busy': 'true' });
      const file = await drawPicture(round).catch(() => null);
      set(button, { 'aria-busy': false });
      if (file) use(file);
      else announce(strings.NOT_LOADED);
    });
    return button;
  };
  const words = strings.RESULTS;
  /** Share a picture, or save it if that fails. @param {File} file */
  async function hand(file) {
    if (await share({ files: [file] })) return;
    saveFile(file);
    announce(words.pictureSaved);
  }
  const buttons = [makeButton('picture-save', words.savePicture, saveFile)];
  if (canSharePictures()) buttons.push(makeButton('picture-share', words.sharePicture, hand));
  return buttons;
}

/** Make the sections of the link to a round, and of its deal with the check. @param {Round} round @param {(text: string) => void} announce */
export function makeRecord({ id, result: { reveal }, settings, promised }, announce) {
  const words = strings.RESULTS;
  const value = linkFor(`/r/${id.code}/${id.n}`);
  const link = h('input', { id: 'round-share', readonly: true, 'aria-label': words.share, value });
  const copy = copyButton('round-copy', link, announce);
  const toShare = () => ({ text: words.shareText, url: value });
  const href = dataPath(id, '.txt');
  const file = h('a', { id: 'round-text', download: true, href, text: words.text });
  const ofDeal = makeDealRecord(id, reveal, settings, promised);
  if (reveal.deck.length === 0) return [ofDeal];
  return [
    h(
      'section',
      { class: 'pane', 'aria-labelledby': 'share-round' },
      h('h2', { id: 'share-round', text: words.share }),
      h('p', { class: 'text-small', text: words.shared }),
      h('div', { class: 'field-row' }, link, copy, shareButton('round-hand-on', toShare, announce)),
      h('p', { class: 'results-file' }, file),
    ),
    ofDeal,
  ];
}

/** Make the section of a deal with the check; the deal of a day that is not over has a hash alone. @param {RoundId} id @param {Reveal} reveal @param {{game: string, winnable: boolean}} settings @param {string | null | undefined} promised the hash that was shown before */
export function makeDealRecord(id, reveal, settings, promised) {
  const words = strings.RESULTS;
  const { deal, seed, salt, commitment, number, deck, proof, degree } = reveal;
  const isSecret = deck.length === 0;
  const isAsked = deal === 'secret' && settings.winnable && !isSecret;
  const { good, title, text } = isSecret
    ? { good: true, title: strings.PROOF.secret, text: strings.PROOF.later }
    : checkDeal(settings.game, promised, reveal);
  const facts = [
    [strings.SETTINGS.number, number],
    [strings.SETTINGS.seed, seed],
    [words.salt, salt],
    [words.seal, promised ?? commitment],
    [words.cards, deck.join(' ')],
  ].flatMap(([name, fact]) => (fact ? [h('dt', { text: name }), h('dd', { text: fact })] : []));
  const looks = { class: 'results-check', id: 'verified', 'data-verdict': good ? 'good' : 'bad' };
  const data = { id: 'round-link', href: dataPath(id), text: words.data, target: '_blank' };
  return h(
    'section',
    { class: 'pane', 'aria-label': strings.CHAPTERS.deal },
    h('p', looks, h('strong', { text: `${good ? '✓' : '✗'} ${title}` }), ' ', text),
    h('p', { id: 'known-win', hidden: !isAsked, text: strings.winLine(Boolean(proof), degree) }),
    h(
      'details',
      { class: 'results-file' },
      h('summary', { text: deal === 'secret' ? words.check : words.show }),
      h('dl', { class: 'results-facts', id: 'deal-facts' }, ...facts),
      salt && h('p', { class: 'text-small', text: strings.PROVES.join(' ') }),
      !isSecret && h('a', data),
    ),
  );
}
