// The chat.

export const CHAT = {
  title: 'Chat',
  log: 'What has been said',
  empty: 'Nothing has been said yet.',
  emotes: 'Say in short',
  emoteWords: {
    good_luck: 'Good luck!',
    well_played: 'Well played!',
    wow: 'Wow!',
    oops: 'Oops!',
    hurry: 'Hurry up!',
    thanks: 'Thanks!',
  },
  placeholder: 'Say something',
  send: 'Send',
  mute: 'Mute…',
  close: 'Close the chat',
};

/** @param {number} n */
export const chatUnread = (n) => (n > 0 ? `Chat, ${n} unread` : 'Chat');

/** @param {string} name @param {string} words */
export const says = (name, words) => `${name}: ${words}`;

/** @param {string} name @param {boolean} muted */
export const muteVoice = (name, muted) => (muted ? `Hear ${name} again` : `Mute ${name}`);
