// Sentences about who may join and what a deal proves, in German.

export const title = 'Wer mitmachen darf';
export const locked = 'Raum abschließen: Niemand kann mehr dazukommen';
export const most = 'Höchstens so viele Spieler';
export const oneSeat = 'Ein Platz pro Person (Browser und Netz), auch beim Zuschauen';
export const approve = 'Mich fragen, bevor jemand dazukommt';
export const ban = 'Nicht wieder hereinlassen (dieser Browser und dieses Netz)';

export const asking = 'Möchten mitmachen';
export const letIn = 'Hereinlassen';
export const turnAway = 'Abweisen';
export const letInLabel = (/** @type {string} */ name) => `${name} hereinlassen`;
export const turnAwayLabel = (/** @type {string} */ name) => `${name} abweisen`;
export const watches = 'zum Zuschauen';

export const waiting = 'Warten auf den Gastgeber';
export const waitingFor = (/** @type {string} */ host) =>
  host
    ? `${host} entscheidet, wer in diesen Raum kommt. Einen Moment.`
    : 'Der Gastgeber entscheidet, wer in diesen Raum kommt. Einen Moment.';
export const leave = 'Abbrechen';

export const cheats = 'Mogeln';
export const cheatLevels = {
  shown: 'Nur anzeigen',
  tie: 'Bei Gleichstand',
  out: 'Saubere Spiele zuerst',
};
export const cheatRules = {
  shown: [],
  tie: ['Bei Gleichstand liegt vorn, wer seltener gemogelt hat.'],
  out: ['Wer gemogelt hat, steht in seiner Gruppe hinter allen, die es nicht getan haben.'],
};

export const proves = [
  'Der Hash, der vor dem Rennen angezeigt wird, legt das Blatt fest: Danach kann es niemand mehr ändern, auch nicht der Betreiber des Servers.',
  'Er beweist nicht, dass niemand das Blatt vorher gesehen hat, und auch nicht, dass zwei Spieler einander nichts verraten.',
];
