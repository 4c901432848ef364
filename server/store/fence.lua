-- Runs before commit.lua and count_hint.lua: refuses a caller that does not hold the seat in a
-- running race.
-- KEYS: room, seat, log. ARGV: n, TTL, channel, generation, now, and those of the next script.
-- (The channel is no key: while a slot is moved to another node, Redis redirects commands that name
-- a missing key.) scripts.py has the meaning of the negative numbers.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
-- `now` is from the processes' shared clock (clock.py) and not from TIME, whose steps must end no
-- race.
local now = tonumber(ARGV[5])
local ms = now - room[3]
if ms < 0 then
  return -4
end
if room[4] ~= '' and now >= tonumber(room[4]) then
  return -5
end
local seat = redis.call('HMGET', KEYS[2], 'gen', 'out', 'id', 'n', 'advised', 'advised_n', 'advised_at')
if seat[1] ~= ARGV[4] then
  -- A stored generation older than the caller's means that a failover has lost the caller's.
  return tonumber(seat[1] or 0) < tonumber(ARGV[4]) and -7 or -3
end
if seat[2] == ARGV[1] then
  return -6
end
-- Other processes get the seat's figures, after the act or the hint is stored. The process that
-- stores it knows them; it is the only subscriber of most rooms, and then nothing is published.
local function notify()
  if redis.call('PUBSUB', 'SHARDNUMSUB', ARGV[3])[2] < 2 then
    return
  end
  local fields = redis.call('HMGET', KEYS[2], 'n', 'id', 'gained', 'over', 'advised', 'advised_n', 'standing')
  for i = 1, 7 do
    fields[i] = fields[i] or ''
  end
  local number = string.match(KEYS[2], '%d+$')
  redis.call('SPUBLISH', ARGV[3], 'seat ' .. number .. ' ' .. table.concat(fields, ' '))
end
