-- Makes an act durable, or says why not. The negative numbers are those of scripts.py.
-- KEYS: room, seat, log. (The channel is no key: on its way to another node a slot takes nothing
-- that names a key which is not there.)
-- ARGV: n, TTL, channel, generation, id, at, action, gained, over, standing, now.
-- Returns milliseconds since t0.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end', 'hinted')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
-- The processes' shared clock (clock.py), not TIME: a step of TIME ends no race.
local now = tonumber(ARGV[11])
local ms = now - room[3]
if ms < 0 then
  return -4
end
if room[4] ~= '' and now >= tonumber(room[4]) then
  return -5
end
local seat = redis.call('HMGET', KEYS[2], 'gen', 'id', 'n', 'out')
if seat[1] ~= ARGV[4] then
  -- An older generation than the caller's is one that a failover has taken back.
  return tonumber(seat[1] or 0) < tonumber(ARGV[4]) and -7 or -3
end
if seat[4] == ARGV[1] then
  return -6
end
if tonumber(ARGV[5]) <= tonumber(seat[2]) then
  return -1
end
local at = tonumber(ARGV[6])
if redis.call('LLEN', KEYS[3]) ~= at then
  return -2
end
if at > 0 then
  -- Two processes may differ by milliseconds, and the times of a log do not run backwards.
  local _, before = struct.unpack('<I2I4', redis.call('LINDEX', KEYS[3], -1))
  ms = math.max(ms, before)
end
redis.call('RPUSH', KEYS[3], struct.pack('<I2I4', ARGV[7], ms))
if seat[3] ~= ARGV[1] then
  -- The first act of a round: what stands there is of the round before.
  redis.call('HDEL', KEYS[2], 'over')
  redis.call('HSET', KEYS[2], 'n', ARGV[1], 'gained', 0, 'first', ARGV[5])
end
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[2], 'id', ARGV[5], 'standing', ARGV[10], 'gained', ms)
else
  redis.call('HSET', KEYS[2], 'id', ARGV[5], 'standing', ARGV[10])
end
if ARGV[9] == '1' then
  redis.call('HSET', KEYS[2], 'over', ms)
end
if at % 64 == 0 then
  redis.call('EXPIRE', KEYS[3], ARGV[2])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
end
-- One hint in 100 ms a room: whoever hears it reads a little later, and so all that came with it.
if not room[5] or math.abs(now - room[5]) >= 100 then
  redis.call('HSET', KEYS[1], 'hinted', now)
  redis.call('SPUBLISH', ARGV[3], 'standings')
end
return ms
