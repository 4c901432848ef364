-- Puts the result of a game on the board of its day, once, however often it is delivered.
-- KEYS: board, results, logs. ARGV: entry, order, result, log, when the keys expire (ms).
-- Returns 1, or 0 if the entry was there. The result is written last: without it nothing counts.
-- An entry with an empty order gets no place, and no count includes it.
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, ARGV[5])
end
return 1
