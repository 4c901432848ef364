-- Makes the caller the only one whose acts on this seat count.
-- KEYS: seat. ARGV: TTL, now, and the fields to return.
-- Returns the fields with the new generation, or nothing if there is no such seat.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
-- Never below the time: so a failover that takes a generation back does not give it twice.
local gen = math.max(tonumber(redis.call('HGET', KEYS[1], 'gen')) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'gen', string.format('%.0f', gen))
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HMGET', KEYS[1], unpack(ARGV, 3))
