// Sentences about who may join and what a deal proves: they come with the screens that say them.

export const title = 'Who can join';
export const locked = 'Lock the room: nobody new can join';
export const most = 'Player limit';
export const oneSeat = 'One seat per person (browser and network), spectators included';
export const approve = 'Ask me before anyone joins';
export const ban = 'Keep out (this browser and network)';

export const asking = 'Waiting to join';
export const letIn = 'Let in';
export const turnAway = 'Don’t let in';
export const letInLabel = (/** @type {string} */ name) => `Let ${name} in`;
export const turnAwayLabel = (/** @type {string} */ name) => `Don’t let ${name} in`;
export const watches = 'to watch';

export const waiting = 'Waiting for the host';
export const waitingFor = (/** @type {string} */ host) =>
  host ? `${host} decides who joins this room. Hold on.` : 'The host decides who joins. Hold on.';
export const leave = 'Cancel';

export const cheats = 'Cheats';
export const cheatLevels = { shown: 'Only shown', tie: 'Break ties', out: 'Clean games first' };
export const cheatRules = {
  shown: [],
  tie: ['If players are tied, the one with fewer cheats is ahead.'],
  out: ['Games with cheats rank below all clean games of their group.'],
};

export const proves = [
  'The hash that is shown before the race fixes the deal: after that nobody can change it, not even the owner of the server.',
  'It does not prove that nobody saw the deal before, or that two players do not share what they see.',
];
