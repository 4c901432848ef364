-- Makes the caller the only one whose acts on this seat count.
-- KEYS: seat. ARGV: TTL, and the fields to return.
-- Returns the fields with the new generation, or nothing if there is no such seat.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return false
end
redis.call('HINCRBY', KEYS[1], 'gen', 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('HMGET', KEYS[1], unpack(ARGV, 2))
