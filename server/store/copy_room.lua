-- Reads a room as it is at one moment, except the entries of its logs, of which it reads the number.
-- KEYS: room, events, seats and reviews, logs. ARGV: the number of seats and reviews.
-- Returns the record, the events, each seat and review, and the number of entries of each log. A key of
-- another type is returned as nothing.
local function read(...)
  local reply = redis.pcall(...)
  return not (type(reply) == 'table' and reply.err) and reply
end
local first_log = 3 + tonumber(ARGV[1])
local hashes, logs = {}, {}
for i = 3, #KEYS do
  if i < first_log then
    hashes[#hashes + 1] = read('HGETALL', KEYS[i])
  else
    logs[#logs + 1] = read('LLEN', KEYS[i])
  end
end
return {read('HGETALL', KEYS[1]), read('XRANGE', KEYS[2], '-', '+'), hashes, logs}
