-- Runs before commit.lua and count_hint.lua: refuses a caller that does not hold the seat in a
-- running race.
-- KEYS: room, seat, log. ARGV: n, TTL, generation, and the numbers and texts of the next script in
-- one argument, of which the first is now. (Redis takes a while for each argument.) commits.py has
-- the meaning of the negative numbers.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
-- `now` is from the processes' shared clock (clock.py) and not from TIME, whose steps must end no
-- race.
local now = tonumber(string.match(ARGV[4], '^%S+'))
local ms = now - room[3]
if ms < 0 then
  return -4
end
if room[4] ~= '' and now >= tonumber(room[4]) then
  return -5
end
local seat = redis.call('HMGET', KEYS[2], 'gen', 'out', 'id', 'n')
if seat[1] ~= ARGV[3] then
  -- A stored generation older than the caller's means that a failover has lost the caller's.
  return tonumber(seat[1] or 0) < tonumber(ARGV[3]) and -7 or -3
end
if seat[2] == ARGV[1] then
  return -6
end
