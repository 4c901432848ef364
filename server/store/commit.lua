-- Stores an act, if the fence lets it pass. Runs after fence.lua.
-- ARGV[4]: now, id, at, action, has_gained, is_over, stats.
-- Returns the act's time in ms since t0, or a negative reason (commits.py) for not storing it.
local id, at, action, has_gained, is_over, stats =
  string.match(ARGV[4], '^%S+ (%S+) (%S+) (%S+) (%S) (%S) (.*)$')
if tonumber(id) <= tonumber(seat[3]) then
  return -1
end
at = tonumber(at)
-- The last entry, and nothing else, if the log has `at` entries.
local last = redis.call('LRANGE', KEYS[3], math.max(at - 1, 0), at)
if #last ~= math.min(at, 1) then
  return -2
end
if at > 0 then
  -- The clocks of two processes may differ by milliseconds, but the times of a log must not
  -- run backwards.
  local _, before = struct.unpack('<I2I4', last[1])
  ms = math.max(ms, before)
end
redis.call('RPUSH', KEYS[3], struct.pack('<I2I4', action, ms))
if seat[4] ~= ARGV[1] then
  -- This is the seat's first act of the round: the fields are those of an earlier round.
  redis.call('HDEL', KEYS[2], 'over_ms')
  redis.call('HSET', KEYS[2], 'n', ARGV[1], 'gained_ms', 0, 'first', id)
end
if has_gained == '1' then
  redis.call('HSET', KEYS[2], 'id', id, 'stats', stats, 'gained_ms', ms)
else
  redis.call('HSET', KEYS[2], 'id', id, 'stats', stats)
end
if is_over == '1' then
  redis.call('HSET', KEYS[2], 'over_ms', ms)
end
if at % 64 == 0 then
  redis.call('EXPIRE', KEYS[3], ARGV[2])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
end
return ms
