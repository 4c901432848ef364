// The chat.

export const CHAT = {
  title: 'Chat',
  log: 'Was gesagt wurde',
  empty: 'Noch hat niemand etwas gesagt.',
  emotes: 'Kurz gesagt',
  emoteWords: {
    good_luck: 'Viel Glück!',
    well_played: 'Gut gespielt!',
    wow: 'Wow!',
    oops: 'Hoppla!',
    hurry: 'Mach hin!',
    thanks: 'Danke!',
  },
  placeholder: 'Sag etwas',
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
  muted ? `${name} wieder hören` : `${name} stummschalten`;
