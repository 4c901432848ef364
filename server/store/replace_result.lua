-- Replaces the result of an entry, if it is still the one that was read.
-- KEYS: results. ARGV: entry, the result as it was read, the new one. Returns 1, or 0 if it is not.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
