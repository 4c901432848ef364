-- Replaces a result, unless somebody has changed it since it was read.
-- KEYS: results. ARGV: entry, the result that was read, the new one. Returns 1, or 0 if it changed.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
