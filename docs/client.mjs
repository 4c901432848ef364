// Node 22 or newer: `node client.mjs https://HOST/r/CODE [NAME]`; 20 has --experimental-websocket.
const [link, name = 'Node'] = process.argv.slice(2);
const socket = new WebSocket(new URL('../ws', link.replace(/^http/, 'ws')), 'spider-race.v2');
const send = (message) => socket.send(JSON.stringify(message));
const played = {}; // how often each action was played

function play({ id, at, legal }) {
  if (legal === '') return; // the game is over
  const actions = legal.split(',').filter((each) => each !== 'undo' && each !== 'redo');
  actions.sort((one, other) => (played[one] ?? 0) - (played[other] ?? 0)); // avoids circles
  const action = actions.includes('finish') ? 'finish' : actions[0];
  played[action] = (played[action] ?? 0) + 1;
  const next = action && at < 200 ? { type: 'act', id: id + 1, at, action } : { type: 'forfeit' };
  setTimeout(send, 60, next); // the server allows 20 messages a second
}

socket.onopen = () => send({ type: 'join', room: link.split('/r/')[1], name, kind: 'program' });
socket.onmessage = ({ data }) => {
  const { type, ...message } = JSON.parse(data);
  if (type === 'joined') send({ type: 'ready' });
  if (type === 'acted') play(message);
  if (message.table) play({ ...message.table, id: message.table.last_id });
  if (type === 'refused' || type === 'error') console.error(data);
  for (const row of message.ranking ?? []) console.log(`${row.place}. ${row.name}: ${row.score}`);
  if (type === 'round_over') send({ type: 'leave' });
};
socket.onclose = ({ code, reason }) => {
  process.exitCode = Number(code !== 1000);
  if (process.exitCode) console.error(`${reason || `no connection to ${link}`} (${code})`);
};
