// The surroundings of a page in a test: a clock that stands still unless the test moves it, a connection with the test as
// its server, and the channel between the tabs of a browser.

/** The local time when a page is opened, and the server's time. */
export const NOW = 1_000_000;
export const FRAME_MS = 16;

const { setImmediate: later } = globalThis;
/** Wait until nothing is left to do before time passes: modules and answers come at once. */
async function settle() {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => later(resolve));
}

/** Make a clock whose timers run as a test moves it. */
export function makeClock() {
  const timers = new Map();
  let now = NOW;
  let ids = 0;
  function add(act, ms, every = 0) {
    ids += 1;
    timers.set(ids, { at: now + Math.max(1, ms || 0), every, act });
    return ids;
  }
  const first = () => [...timers].sort(([a, one], [b, two]) => one.at - two.at || a - b)[0];
  return {
    now: () => now,
    setTimeout: (act, ms = 0, ...rest) => add(() => act(...rest), ms),
    setInterval: (act, ms = 0) => add(act, ms, Math.max(1, ms)),
    requestAnimationFrame: (act) => add(() => act(now), FRAME_MS),
    clear: (id) => void timers.delete(id),
    async pass(ms) {
      const until = now + ms;
      await settle();
      for (let due = first(); due && due[1].at <= until; due = first()) {
        const [id, timer] = due;
        now = timer.at;
        if (timer.every) timer.at += timer.every;
        else timers.delete(id);
        timer.act();
        await settle();
      }
      now = until;
    },
  };
}

/** A connection whose server is the test. */
export class Socket {
  static OPEN = 1;
  /** Whether the server does not answer pings. */
  static isSilent = false;
  /** How far the server's clock is ahead of the page's. */
  static aheadMs = 0;

  static made = [];
  readyState = 0;

  sent = [];
  onopen = null;
  onmessage = null;
  onclose = null;
  constructor() {
    Socket.made.push(this);
  }
  send(text) {
    const message = JSON.parse(text);
    this.sent.push(message);
    if (message.type !== 'ping' || Socket.isSilent) return;
    const pong = { type: 'pong', t: message.t, now: performance.now() + Socket.aheadMs, v: 0 };
    this.onmessage?.({ data: JSON.stringify(pong) });
  }
  close() {
    this.readyState = 3;
  }
}

/** The channel between tabs; a test is the other tab. */
export class Channel {
  static all = new Set([]);
  onmessage = null;
  constructor() {
    Channel.all.add(this);
  }
  postMessage(data) {
    for (const each of Channel.all) if (each !== this) each.onmessage?.({ data });
  }
  close() {
    Channel.all.delete(this);
  }
}
