-- Makes an act durable, or says why not. The negative numbers are those of scripts.py.
-- KEYS: room, seat, log, gate of the hints, channel.
-- ARGV: n, generation, id, at, action, standing, gained, over, TTL.
-- Returns milliseconds since t0.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ms = now - room[3]
if ms < 0 then
  return -4
end
if room[4] ~= '' and now >= tonumber(room[4]) then
  return -5
end
local seat = redis.call('HMGET', KEYS[2], 'gen', 'id', 'n')
if seat[1] ~= ARGV[2] then
  return -3
end
if tonumber(ARGV[3]) <= tonumber(seat[2]) then
  return -1
end
local at = tonumber(ARGV[4])
if redis.call('LLEN', KEYS[3]) ~= at then
  return -2
end
redis.call('RPUSH', KEYS[3], struct.pack('<I2I4', ARGV[5], ms))
if seat[3] ~= ARGV[1] then
  -- The first act of a round: what stands there is of the round before.
  redis.call('HDEL', KEYS[2], 'over')
  redis.call('HSET', KEYS[2], 'n', ARGV[1], 'gained', 0)
end
redis.call('HSET', KEYS[2], 'id', ARGV[3], 'standing', ARGV[6])
if ARGV[7] == '1' then
  redis.call('HSET', KEYS[2], 'gained', ms)
end
if ARGV[8] == '1' then
  redis.call('HSET', KEYS[2], 'over', ms)
end
if at % 64 == 0 then
  redis.call('EXPIRE', KEYS[3], ARGV[9])
  redis.call('EXPIRE', KEYS[2], ARGV[9])
end
if redis.call('SET', KEYS[4], 1, 'PX', 100, 'NX') then
  redis.call('SPUBLISH', KEYS[5], 'standings')
end
return ms
