// What is shown to players who look at something else.

export const GO_TITLE = 'Go!';

export const TAB = {
  notify: 'Notify me when the race starts',
  notifying: 'You’ll be notified when the race starts',
  starting: 'The race is about to start',
  comeBack: 'Come back to Spider Race.',
};
