-- Counts a hint for a seat, if the fence lets it pass. Runs after fence.lua.
-- ARGV, from the sixth: at.
-- Returns the number of the seat's hints in round n, or a negative reason (scripts.py). Several
-- requests on one position count once, because a reply may have been lost on its way.
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
