-- Counts a room among the open ones of a network, or of all, if there is a place for it.
-- KEYS: the list. ARGV: code, most, now, until when the room is counted, TTL.
-- Returns 1 if the room is counted, which one that was before always is, else 0.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[4], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return 1
