// The invitation to a room: its link, code and QR code, in a dialog, or in a panel while the player is alone.

import { amHost, isPractice } from '../state/state.js';
import { strings } from '../strings/language.js';
import { makeDialog } from '../widgets/dialogs.js';
import { h, set } from '../widgets/element.js';
import * as sharing from '../widgets/sharing.js';

/** @import {RoomView} from '../contract/messages.d.ts' @import {State} from '../state/state.js' */

/**
 * Make the parts: the link, the code and the QR code, and a button for the system's share dialog if the browser
 * has one.
 * @param {Parameters<typeof bindInvitation>[0]} addComputer
 */
function makeInvitation(addComputer) {
  const words = strings.ROOM;
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  // The dialog needs a note of its own: screen readers don't reach the status line behind it.
  const note = h('p', { class: 'text-small', id: 'invite-note', role: 'status' });
  const say = (/** @type {string} */ text) => set(note, { text });
  const copy = sharing.copyButton('copy', link, say);
  const challenge = () => ({ text: strings.COPY.shareText, url: link.value });
  const share = sharing.shareButton('share', challenge, say);
  const code = h('p', { class: 'text-code invitation-code', id: 'room-code' });
  const picture = h('img', { class: 'invitation-qr', id: 'qr', alt: words.qr });
  const onclick = (/** @type {Event} */ event) => addComputer?.()(event);
  const more = h('button', { text: words.addComputer, 'aria-haspopup': 'dialog', onclick });
  const closing = { id: 'invite-close', onclick: () => dialog.close() };
  const close = h('button', closing, strings.BUTTONS.close);
  const buttons = h('div', { class: 'buttons' }, more, share, close);
  const title = h('h2', { id: 'invitation-title', text: words.invite });
  const scan = h('p', { class: 'text-small', text: words.scan });
  const looks = { class: 'stack invitation', id: 'invitation', 'aria-labelledby': title.id };
  const about = h('div', { class: 'stack invitation-about' }, title, code, scan);
  const element = h('section', looks, h('div', { class: 'row centre' }, picture, about));
  const row = h('div', { class: 'field-framed invitation-link' }, link, copy);
  element.append(row, sharing.linkWarning() || '', note, buttons);
  const dialog = makeDialog(title, {}, element);
  return { element, dialog, link, note, copy, share, code, picture, more, buttons };
}

/**
 * Bind the invitation, which opens in a dialog, or fills a panel while the player is alone.
 * @param {() => (event: {currentTarget: EventTarget | null}) => void} [addComputer] returns the handler
 *   that opens the menu of computer players; only rooms have one
 */
export function bindInvitation(addComputer) {
  const { element, dialog, link, note, copy, share, code, picture, more, buttons } =
    makeInvitation(addComputer);

  /** Show the link of a room. @param {RoomView} room */
  function showLink(room) {
    set(link, { value: sharing.linkFor(`/r/${room.code}`) });
    set(picture, { src: `/qr/${room.code}.svg` });
    set(code, { text: strings.grouped(room.code) });
  }

  return {
    dialog,
    showLink,
    copyLink: () => sharing.copy(link),
    /** Open the dialog. If the panel already shows the invitation, share or copy its link. */
    invite() {
      set(note, { text: '' });
      if (element.parentElement !== dialog) {
        (share ?? copy).click();
        return;
      }
      dialog.showModal();
      copy.focus();
    },
    /** Move the invitation to the panel if there is one, otherwise to its dialog. @param {State} state @param {RoomView} room @param {HTMLElement | null} panel */
    update(state, room, panel) {
      showLink(room);
      more.hidden = !amHost(state) || isPractice(room);
      buttons.hidden = panel !== null;
      const place = panel && !isPractice(room) ? panel : dialog;
      if (element.parentElement === place) return;
      dialog.close();
      set(element, { class: panel ? 'pane invitation' : 'stack invitation' });
      place.append(element);
    },
  };
}
