// The chat.

export const CHAT = {
  title: 'Chat',
  log: 'Nachrichten',
  empty: 'Noch keine Nachrichten.',
  emotes: 'Schnelle Antworten',
  emoteWords: {
    good_luck: 'Viel Glück!',
    well_played: 'Gut gespielt!',
    wow: 'Wow!',
    oops: 'Hoppla!',
    hurry: 'Beeil dich!',
    thanks: 'Danke!',
  },
  placeholder: 'Nachricht',
  send: 'Senden',
  mute: 'Stummschalten…',
  close: 'Chat schließen',
};

/** @param {number} n */
export const chatUnread = (n) => (n > 0 ? `Chat, ${n} ungelesen` : 'Chat');

/** @param {string} name @param {string} words */
export const says = (name, words) => `${name}: ${words}`;

/** @param {string} name @param {boolean} muted */
export const muteVoice = (name, muted) =>
  muted ? `${name} nicht mehr stummschalten` : `${name} stummschalten`;
