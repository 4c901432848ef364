-- Counts a hint for a seat, if the fence lets it pass. Runs after fence.lua.
-- ARGV[4]: now, at.
-- Returns the number of the seat's hints in round n, or a negative reason (commits.py). Several
-- requests on one position count once, because a reply may have been lost on its way.
local at = string.match(ARGV[4], '^%S+ (%S+)$')
if redis.call('LLEN', KEYS[3]) ~= tonumber(at) then
  return -2
end
local hints = redis.call('HMGET', KEYS[2], 'hints', 'hints_n', 'hints_at')
local count = hints[2] == ARGV[1] and tonumber(hints[1]) or 0
if hints[2] == ARGV[1] and hints[3] == at then
  return count
end
redis.call('HSET', KEYS[2], 'hints', count + 1, 'hints_n', ARGV[1], 'hints_at', at)
redis.call('EXPIRE', KEYS[2], ARGV[2])
return count + 1
