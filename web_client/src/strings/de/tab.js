// Was Leute sehen, die gerade etwas anderes ansehen.

export const GO_TITLE = 'Los!';

export const TAB = {
  notify: 'Mir Bescheid geben, wenn es losgeht',
  notifying: 'Du bekommst Bescheid, wenn es losgeht',
  starting: 'Gleich geht es los',
  comeBack: 'Komm zurück zu Spider Race.',
};
