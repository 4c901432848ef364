// The chat.

export const CHAT = {
  title: 'Chat',
  log: 'Messages',
  empty: 'No messages yet.',
  emotes: 'Quick replies',
  emoteWords: {
    good_luck: 'Good luck!',
    well_played: 'Well played!',
    wow: 'Wow!',
    oops: 'Oops!',
    hurry: 'Hurry up!',
    thanks: 'Thanks!',
  },
  placeholder: 'Message',
  send: 'Send',
  mute: 'Mute…',
  close: 'Close chat',
};

/** @param {number} n */
export const chatUnread = (n) => (n > 0 ? `Chat, ${n} unread` : 'Chat');

/** @param {string} name @param {string} words */
export const says = (name, words) => `${name}: ${words}`;

/** @param {string} name @param {boolean} muted */
export const muteVoice = (name, muted) => (muted ? `Unmute ${name}` : `Mute ${name}`);
