-- Gives a seat a new generation, so that only the caller can store acts for it.
-- KEYS: seat. ARGV: TTL, now, and the names of the fields to return.
-- Returns these fields with the new generation, or nothing if there is no such seat.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
-- The generation is at least the time, so that one that a failover loses is not given again.
local gen = math.max(tonumber(redis.call('HGET', KEYS[1], 'gen')) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'gen', string.format('%.0f', gen))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HMGET', KEYS[1], unpack(ARGV, 3))
