-- Writes a room's record if it is still at the version that the writer has read.
-- KEYS: room, events, the seat to create if any, the seats that are out of round n, the seats to
--       delete.
-- ARGV: version read (0: no such room), doc, state, n, t0, t_end, deadline, public, event, TTL,
--       channel, the hash of the new seat's token or '', its generation or '', the room's row in the
--       list of public rooms, and the mark of each seat that is out: its last id and, if it is not
--       0, its count of hints.
-- Returns the new version, or 0 if the room has another version or a seat has another mark.
local v = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if v ~= tonumber(ARGV[1]) then
  return 0
end
local first = ARGV[12] == '' and 3 or 4
local last = first + #ARGV - 15
for i = first, last do
  local seat = redis.call('HMGET', KEYS[i], 'id', 'hints')
  local mark = (seat[1] or '') .. (seat[2] and ' ' .. seat[2] or '')
  if mark ~= ARGV[15 + i - first] then
    return 0
  end
end
v = v + 1
if v == 1 then
  -- The stream of an earlier room with this code would refuse the new ids.
  redis.call('DEL', KEYS[2])
end
redis.call('HSET', KEYS[1], 'v', v, 'doc', ARGV[2], 'state', ARGV[3], 'n', ARGV[4],
  't0', ARGV[5], 't_end', ARGV[6], 'deadline', ARGV[7], 'public', ARGV[8],
  'row', ARGV[14])
redis.call('EXPIRE', KEYS[1], ARGV[10])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 128, v .. '-0', 'e', ARGV[9])
redis.call('EXPIRE', KEYS[2], ARGV[10])
if ARGV[12] ~= '' then
  redis.call('DEL', KEYS[3])
  redis.call('HSET', KEYS[3], 'gen', ARGV[13], 'token', ARGV[12], 'id', 0, 'n', 0, 'gained_ms', 0)
  redis.call('EXPIRE', KEYS[3], ARGV[10])
end
for i = first, last do
  if ARGV[15 + i - first] ~= '' then
    redis.call('HSET', KEYS[i], 'out', ARGV[4])
  end
end
for i = last + 1, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
redis.call('SPUBLISH', ARGV[11], 'room')
return v
