// Race with the WebSocket of Node 22 or newer: `node client.mjs https://HOST/r/CODE [NAME]`.
// Node 20 has it too: `node --experimental-websocket client.mjs https://HOST/r/CODE [NAME]`.
const [link, name = 'Node'] = process.argv.slice(2);
const address = new URL('../ws', link.replace(/^http/, 'ws'));
const socket = new WebSocket(address, 'spider-race.v2');
const send = (message) => socket.send(JSON.stringify(message));
const played = {}; // how often, by action
let mine; // the number of the seat
process.exitCode = 1; // until a race is over

function play({ id, at, legal }) {
  if (legal === '') return; // the game is over
  const actions = legal.split(',').filter((each) => each !== 'undo' && each !== 'redo');
  actions.sort((one, other) => (played[one] ?? 0) - (played[other] ?? 0)); // so in no circles
  const action = actions.includes('finish') ? 'finish' : actions[0];
  played[action] = (played[action] ?? 0) + 1;
  const isOn = action && at < 200;
  const message = isOn ? { type: 'act', id: id + 1, at, action } : { type: 'forfeit' };
  setTimeout(send, 60, message); // the server takes 20 a second
}

function show({ ranking }) {
  if (ranking.every(({ seat }) => seat !== mine)) return; // a race before ours
  for (const row of ranking) console.log(`${row.place}. ${row.name}: ${row.score}`);
  process.exitCode = 0;
  send({ type: 'leave' });
}

socket.onopen = () => send({ type: 'join', room: link.split('/r/')[1], name, kind: 'program' });
socket.onmessage = ({ data }) => {
  const { type, ...message } = JSON.parse(data);
  if (type === 'joined') {
    mine = message.seat;
    send({ type: message.room.state === 'FINISHED' ? 'rematch' : 'ready' });
  }
  if (type === 'acted') play(message);
  if (message.table) play({ ...message.table, id: message.table.last_id });
  if (type === 'refused' || type === 'error') console.error(data);
  if (message.command === 'ready') send({ type: 'leave' }); // refused: a race is on
  if (type === 'round_over') show(message);
};
socket.onclose = ({ code, reason }) =>
  code === 1000 || console.error(`${reason || `no connection to ${address.host}`} (${code})`);
