-- Adds a name to a list, unless the list is full.
-- KEYS: the list. ARGV: name, limit, now (ms), when the name expires (ms), TTL (s).
-- Returns 1 if the name is in the list now, else 0. A name in a full list stays there.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
