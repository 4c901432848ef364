// The invitation to the room: a button that opens the link, the code and the QR code. Browsers that can
// share also offer the system's own dialog.

import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { copyButton, linkFor, linkWarning, shareButton } from '../widgets/links.js';

/** @import {RoomView} from '../contract/messages.d.ts' */

/** Bind the invitation. Its dialog belongs on the screen, so that it goes with it. */
export function bindInvitation() {
  const words = strings.ROOM;
  const link = h('input', { id: 'share-link', readonly: true, 'aria-label': words.link });
  // The page behind the dialog, with its status line, is not read out.
  const note = h('p', { class: 'text-small', id: 'invite-note', role: 'status' });
  const copy = copyButton('copy', link, (text) => write(note, text));
  copy.dataset.kind = 'primary';
  const code = h('p', { class: 'text-code text-code-big', id: 'room-code' });
  const picture = h('img', {
    class: 'invitation-qr',
    id: 'qr',
    alt: words.qr,
    width: 168,
    height: 168,
  });
  const close = h('button', {
    id: 'invite-close',
    text: words.closeInvitation,
    onclick: () => dialog.close(),
  });
  const dialog = h(
    'dialog',
    { class: 'invitation', id: 'invitation', 'aria-labelledby': 'invitation-title' },
    h('h2', { id: 'invitation-title', text: words.invite }),
    picture,
    h('p', { class: 'text-small invitation-label', text: words.code }),
    code,
    h('div', { class: 'field-row' }, link, copy),
    linkWarning(),
    note,
    h('div', { class: 'buttons' }, shareButton('share', link), close),
  );
  /** Open the dialog. */
  function open() {
    write(note, '');
    dialog.showModal();
    copy.focus();
  }
  const button = h('button', {
    id: 'invite',
    text: words.inviteShort,
    title: words.invite,
    'aria-haspopup': 'dialog',
    onclick: open,
  });
  return {
    button,
    dialog,
    open,
    /** Show the link of a room. @param {RoomView} room */
    update(room) {
      const url = linkFor(`/r/${room.code}`);
      if (link.value === url) return;
      link.value = url;
      picture.src = `/qr/${room.code}.svg`;
      write(code, strings.grouped(room.code));
    },
  };
}
