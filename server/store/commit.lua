-- Stores an act, if the fence lets it pass. Runs after fence.lua.
-- ARGV, from the sixth: id, at, action, gained, over, standing.
-- Returns the act's time in ms since t0, or a negative reason (scripts.py) for not storing it.
if tonumber(ARGV[6]) <= tonumber(seat[3]) then
  return -1
end
local at = tonumber(ARGV[7])
if redis.call('LLEN', KEYS[3]) ~= at then
  return -2
end
if at > 0 then
  -- The clocks of two processes may differ by milliseconds, but the times of a log must not
  -- run backwards.
  local _, before = struct.unpack('<I2I4', redis.call('LINDEX', KEYS[3], -1))
  ms = math.max(ms, before)
end
redis.call('RPUSH', KEYS[3], struct.pack('<I2I4', ARGV[8], ms))
if seat[4] ~= ARGV[1] then
  -- This is the seat's first act of the round: the fields are those of an earlier round.
  redis.call('HDEL', KEYS[2], 'over')
  redis.call('HSET', KEYS[2], 'n', ARGV[1], 'gained', 0, 'first', ARGV[6])
end
if ARGV[9] == '1' then
  redis.call('HSET', KEYS[2], 'id', ARGV[6], 'standing', ARGV[11], 'gained', ms)
else
  redis.call('HSET', KEYS[2], 'id', ARGV[6], 'standing', ARGV[11])
end
if ARGV[10] == '1' then
  redis.call('HSET', KEYS[2], 'over', ms)
end
if at % 64 == 0 then
  redis.call('EXPIRE', KEYS[3], ARGV[2])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
end
notify()
return ms
