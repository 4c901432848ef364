-- Adds a name to a list, unless the list is full.
-- KEYS: the list. ARGV: name, limit, now (ms), when the name expires (ms), TTL (s).
-- Returns 1 if the name is in the list now, else 0. A name that is already in a full list stays.
local name, limit, now_ms, expires_ms, ttl = unpack(ARGV)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now_ms)
local known = redis.call('ZSCORE', KEYS[1], name)
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(limit) then
  return 0
end
redis.call('ZADD', KEYS[1], expires_ms, name)
redis.call('EXPIRE', KEYS[1], ttl)
return 1
