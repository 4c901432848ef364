// The admission to a room: the host's form, the requests, and the page of somebody who waits.

export const ADMISSION = {
  title: 'Who can join',
  locked: 'Lock the room (no one else can join)',
  ban: 'Keep out (this browser and network)',
  asking: 'Waiting to join',
  letIn: 'Let in',
  turnAway: 'Don’t let in',
  letInLabel: (/** @type {string} */ name) => `Let ${name} in`,
  turnAwayLabel: (/** @type {string} */ name) => `Don’t let ${name} in`,
  watches: 'to watch',
  waiting: 'Waiting for the host',
  waitingFor: (/** @type {string} */ host) =>
    host ? `${host} decides who joins this room. Hold on.` : 'The host decides who joins. Hold on.',
  leave: 'Cancel',
};
