// Which acts go out now: in order, each once on a connection, and none before the table of this
// connection is known. One that is sent again on the next connection keeps its id.

/**
 * @import {ClientMessage} from './messages.d.ts'
 * @import {State} from './reducer.js'
 */

/** @param {(message: ClientMessage) => boolean | undefined} say false if it could not be sent */
export function makeSender(say) {
  let upTo = 0;
  return {
    /** @param {State} state */
    send({ synced, play }) {
      if (!synced || !play) return;
      for (const { id, at, action, again } of play.flying) {
        if (id <= upTo) continue;
        if (!say({ type: 'act', id, at, action, again })) return;
        upTo = id;
      }
    },
    /** Another connection: what is still unanswered goes again. */
    restart() {
      upTo = 0;
    },
  };
}
