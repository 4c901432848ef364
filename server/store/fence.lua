-- Stands before commit.lua and count_hint.lua: whether the caller holds a seat in a race that is on.
-- KEYS: room, seat, log. ARGV: n, TTL, channel, generation, now; what follows is the script's own.
-- (The channel is no key: on its way to another node a slot takes nothing that names a key which
-- is not there.) The negative numbers are those of scripts.py.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end', 'hinted')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
-- The processes' shared clock (clock.py), not TIME: a step of TIME ends no race.
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
  -- An older generation than the caller's is one that a failover has taken back.
  return tonumber(seat[1] or 0) < tonumber(ARGV[4]) and -7 or -3
end
if seat[2] == ARGV[1] then
  return -6
end
-- One notification in 100 ms a room: its subscribers read a little later, and so all that came
-- with it.
local function notify()
  if not room[5] or math.abs(now - room[5]) >= 100 then
    redis.call('HSET', KEYS[1], 'hinted', now)
    redis.call('SPUBLISH', ARGV[3], 'standings')
  end
end
