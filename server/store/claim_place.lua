-- Adds a name to a list of places, if the list is not full.
-- KEYS: the list. ARGV: name, limit, now, time until which the name is counted, TTL.
-- Returns 1 if the name is counted, else 0. One that is in the list already is always counted.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
