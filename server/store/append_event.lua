-- Appends an event that does not change the record.
-- KEYS: room, events. ARGV: event, TTL, channel.
-- Returns the new version, or 0 if there is no such room.
local event, ttl, channel = unpack(ARGV)
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local v = redis.call('HINCRBY', KEYS[1], 'v', 1)
redis.call('EXPIRE', KEYS[1], ttl, 'GT')  -- a kept table expires later
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 128, v .. '-0', 'e', event)
redis.call('EXPIRE', KEYS[2], ttl, 'GT')
redis.call('SPUBLISH', channel, v)
return v
