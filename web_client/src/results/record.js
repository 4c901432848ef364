// What stays of a finished round: a link to it, its picture and text, and its deal. The deal is checked
// in this browser: both the hash that was shown before the race and the deck must be those of the seed.
// The server draws the picture as SVG; this browser, which has the letters of all names, makes a PNG of it.

import { deckOf, keepsCommitment } from '../game/cards.js';
import { dataPath } from '../replay/course.js';
import { spoken, strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { copyButton, linkFor, shareButton } from '../widgets/room-parts.js';

/**
 * @import {Reveal} from '../contract/messages.d.ts'
 * @import {RoundId} from '../replay/course.js'
 * @import {Round} from './verdict.js'
 */

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
  if (deal !== 'seed' && !keepsHash) return bad(words.otherSeal);
  if (!seed || deckOf(game, seed).join() !== deck.join()) return bad(words.otherDeck);
  return deal === 'seed'
    ? { good: true, title: open, text: words.seeded }
    : { good: true, title: words.good, text: words.sealed };
}

const TYPE = 'image/png';
/** The time until a saved file no longer needs its address. */
const SAVED_MS = 60_000;

/** Return whether this browser can share pictures; it cannot over plain HTTP. */
function canSharePictures() {
  const file = new File([''], 'picture.png', { type: TYPE });
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/** Make the picture of a round. @param {RoundId} id @returns {Promise<File>} rejected if it cannot be loaded */
async function drawPicture({ code, n }) {
  const image = new Image();
  image.src = `${dataPath({ code, n })}/picture.svg?lang=${spoken}`;
  await image.decode();
  const canvas = h('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, TYPE));
  if (!blob) throw new Error('no picture');
  return new File([blob], `spider-race-${code}-${n}.png`, { type: TYPE });
}

/** Save a file. @param {File} file */
function save(file) {
  const href = URL.createObjectURL(file);
  h('a', { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
}

/** Share a file, or save it if that fails. @param {File} file */
async function share(file) {
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    // The player has closed the dialog.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    save(file);
  }
}

/**
 * Make the buttons that do something with the picture of a round.
 * @param {() => RoundId | undefined} idOf
 * @param {(text: string) => void} announce
 */
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
  const buttons = [makeButton('picture-save', words.savePicture, save)];
  if (canSharePictures()) buttons.push(makeButton('picture-share', words.sharePicture, share));
  return buttons;
}

/** Make the sections of the link to a round, and of its deal with the check. @param {Round} round @param {(text: string) => void} announce */
export function makeRecord({ id, result: { reveal }, settings, promised }, announce) {
  const words = strings.RESULTS;
  const { deal, seed, salt, commitment, number, deck } = reveal;
  const { good, title, text } = checkDeal(settings.game, promised, reveal);
  const facts = [
    [strings.SETTINGS.number, number],
    [strings.SETTINGS.seed, seed],
    [words.salt, salt],
    [words.seal, promised ?? commitment],
    [words.cards, deck.join(' ')],
  ].flatMap(([name, fact]) => (fact ? [h('dt', { text: name }), h('dd', { text: fact })] : []));
  const value = linkFor(`/r/${id.code}/${id.n}`);
  const link = h('input', { id: 'round-share', readonly: true, 'aria-label': words.share, value });
  const copy = copyButton('round-copy', link, announce);
  const data = dataPath(id);
  const file = h('a', { id: 'round-text', download: true, href: `${data}.txt`, text: words.text });
  return [
    h(
      'section',
      { class: 'panel', 'aria-labelledby': 'share-round' },
      h('h2', { id: 'share-round', text: words.share }),
      h('p', { class: 'text-small', text: words.shared }),
      h('div', { class: 'field-row' }, link, copy, shareButton('round-hand-on', link)),
      h('p', { class: 'results-file' }, file),
    ),
    h(
      'section',
      { class: 'panel', 'aria-label': strings.CHAPTERS.deal },
      h(
        'p',
        { class: 'results-verdict', id: 'verified', 'data-verdict': good ? 'good' : 'bad' },
        h('strong', { text: `${good ? '✓' : '✗'} ${title}` }),
        text,
      ),
      h(
        'details',
        { class: 'results-file' },
        h('summary', { text: deal === 'secret' ? words.check : words.show }),
        h('dl', { class: 'results-facts', id: 'deal-facts' }, ...facts),
        salt && h('p', { class: 'text-small', text: strings.PROVES.join(' ') }),
        h('a', { id: 'round-link', href: data, text: words.data, target: '_blank' }),
      ),
    ),
  ];
}
