-- Runs before commit.lua and count_hint.lua: refuses a caller that does not hold the seat in a
-- running race.
-- KEYS: room, seat, log. ARGV: n, TTL, channel, generation, now, and those of the next script.
-- (The channel is no key: while a slot is moved to another node, Redis redirects commands that name
-- a missing key.) scripts.py has the meaning of the negative numbers.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end', 'hinted')
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
-- Each room gets one notification in 100 ms at most: its subscribers read a little later, and so
-- read all changes of this time.
local function notify()
  if not room[5] or math.abs(now - room[5]) >= 100 then
    redis.call('HSET', KEYS[1], 'hinted', now)
    redis.call('SPUBLISH', ARGV[3], 'standings')
  end
end
