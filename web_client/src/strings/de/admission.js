// The admission to a room: the host's form, the requests, and the page of somebody who waits.

export const ADMISSION = {
  title: 'Wer mitmachen darf',
  locked: 'Raum abschließen (es kann niemand mehr dazukommen)',
  ban: 'Nicht wieder hereinlassen (dieser Browser und dieses Netz)',
  asking: 'Möchten mitmachen',
  letIn: 'Hereinlassen',
  turnAway: 'Abweisen',
  letInLabel: (/** @type {string} */ name) => `${name} hereinlassen`,
  turnAwayLabel: (/** @type {string} */ name) => `${name} abweisen`,
  watches: 'zum Zuschauen',
  waiting: 'Warten auf den Gastgeber',
  waitingFor: (/** @type {string} */ host) =>
    host
      ? `${host} entscheidet, wer in diesen Raum kommt. Einen Moment.`
      : 'Der Gastgeber entscheidet, wer in diesen Raum kommt. Einen Moment.',
  leave: 'Abbrechen',
};
