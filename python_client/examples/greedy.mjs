// Race with the WebSocket of Node 22: `node greedy.mjs http://host/r/CODE [name]`.
const [link, name = 'Greedy'] = process.argv.slice(2);
const socket = new WebSocket(new URL('/ws', link.replace(/^http/, 'ws')), 'spider-race.v2');
const send = (message) => socket.send(JSON.stringify(message));
const piles = {};
const card = (pile, place) => piles[pile].match(/\w[SHDC]/g)?.at(-place);
// How good an action looks; it is left below 0. No row of others is a circle.
function value(action) {
  const [, pile, count, target] = /^(\w+)x(\d+)-(\w+)/.exec(action) ?? [];
  if (!pile) return { finish: 200, deal: 5, undo: -1, redo: -1, '': -1 }[action] ?? 100;
  const [moved, left, goal] = [card(pile, +count), card(pile, +count + 1), card(target, 1)];
  const tears = left && 'A23456789TJQK'.includes(moved[0] + left[0]);
  if (goal?.[1] === moved[1] && !(tears && left[1] === moved[1])) return left ? 20 : 60;
  if (!left && goal) return piles[pile].startsWith('[') ? 40 : 1;
  return goal || tears || !left ? -1 : 2;
}
function act({ at, legal, piles: shown, id, last_id = id }) {
  for (const [pile, text] of Object.entries(shown)) piles[pile.replace(/^\d/, 't$&')] = text;
  const action = legal.split(',').sort((one, other) => value(other) - value(one))[0];
  const message = { type: 'act', id: last_id + 1, at, action };
  setTimeout(send, 60, value(action) < 0 ? { type: 'forfeit' } : message); // at most 20 a second
}
socket.onopen = () => send({ type: 'join', room: link.split('/r/')[1], name, kind: 'program' });
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.type === 'joined') send({ type: 'ready' });
  if (message.type === 'acted' || message.table) act(message.table ?? message);
  for (const row of message.ranking ?? []) console.log(`${row.place}. ${row.name}: ${row.score}`);
  if (message.type === 'round_over') socket.close();
};
