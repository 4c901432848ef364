-- Counts that a seat is given advice, or says why not. Begins with fence.lua.
-- ARGV, from the sixth: at.
-- Returns how often the seat has been advised in round n. On one position it counts once, however
-- often it is asked for: an answer may have been lost on its way.
if redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[6]) then
  return -2
end
local count = seat[6] == ARGV[1] and tonumber(seat[5]) or 0
if seat[6] == ARGV[1] and seat[7] == ARGV[6] then
  return count
end
redis.call('HSET', KEYS[2], 'advised', count + 1, 'advised_n', ARGV[1], 'advised_at', ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[2])
notify()
return count + 1
