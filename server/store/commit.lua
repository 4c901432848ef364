-- Makes an act durable, or says why not. Begins with fence.lua.
-- ARGV, from the sixth: id, at, action, gained, over, standing.
-- Returns milliseconds since t0.
if tonumber(ARGV[6]) <= tonumber(seat[3]) then
  return -1
end
local at = tonumber(ARGV[7])
if redis.call('LLEN', KEYS[3]) ~= at then
  return -2
end
if at > 0 then
  -- Two processes may differ by milliseconds, and the times of a log do not run backwards.
  local _, before = struct.unpack('<I2I4', redis.call('LINDEX', KEYS[3], -1))
  ms = math.max(ms, before)
end
redis.call('RPUSH', KEYS[3], struct.pack('<I2I4', ARGV[8], ms))
if seat[4] ~= ARGV[1] then
  -- The first act of a round: what stands there is of the round before.
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
