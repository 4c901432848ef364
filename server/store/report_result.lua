-- Puts the result of a game on the board of its day, once, however often it is delivered.
-- KEYS: board, results, logs. ARGV: entry, order, result, log, when the keys expire (ms).
-- Returns 1, or 0 if the entry was there. The result is written last: without it nothing counts.
-- An entry with an empty order gets no place, and no count includes it.
local entry, order, result, log, expires_ms = unpack(ARGV)
if redis.call('HEXISTS', KEYS[2], entry) == 1 then
  return 0
end
redis.call('HSET', KEYS[3], entry, log)
if order ~= '' then
  redis.call('ZADD', KEYS[1], order, entry)
end
redis.call('HSET', KEYS[2], entry, result)
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, expires_ms)
end
return 1
