// The picture of a result, to save and to share. The server draws it as SVG; this browser, which has the
// letters of all names, makes a PNG of it.

import { dataPath } from '../replay/finished-rounds.js';
import { spoken, strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/** @import {RoundId} from '../replay/finished-rounds.js' */

const TYPE = 'image/png';
/** The time until a saved file no longer needs its address. */
const SAVED_MS = 60_000;

/** Return whether this browser can share pictures; it cannot over plain HTTP. */
function canShare() {
  const file = new File([''], 'picture.png', { type: TYPE });
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/** Make the picture of a round. @param {RoundId} id @returns {Promise<File>} rejected if it cannot be loaded */
async function drawPicture({ code, n }) {
  const image = new Image();
  image.src = `${dataPath({ code, n })}/picture.svg?lang=${spoken}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
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

/** Make the buttons for the picture of the round that `update` names. @param {(text: string) => void} announce */
export function bindPicture(announce) {
  const words = strings.RESULTS;
  /** @type {RoundId | null} */
  let shown = null;

  /** Make a button that does something with the picture. @param {string} id @param {string} text @param {(file: File) => void} use */
  function makeButton(id, text, use) {
    const button = h('button', { id, text });
    button.addEventListener('click', async () => {
      if (!shown || button.hasAttribute('aria-busy')) return;
      button.setAttribute('aria-busy', 'true');
      const file = await drawPicture(shown).catch(() => null);
      button.removeAttribute('aria-busy');
      if (file) use(file);
      else announce(strings.NOT_LOADED);
    });
    return button;
  }

  const saveButton = makeButton('picture-save', words.savePicture, save);
  const shareButton = makeButton('picture-share', words.sharePicture, share);
  shareButton.hidden = !canShare();
  return {
    buttons: [saveButton, shareButton],
    /** Name the round. @param {RoundId} id */
    update(id) {
      shown = id;
    },
  };
}
