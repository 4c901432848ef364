-- Appends an event that does not change the record.
-- KEYS: room, events. ARGV: event, TTL, channel.
-- Returns the new version, or 0 if there is no such room.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local v = redis.call('HINCRBY', KEYS[1], 'v', 1)
redis.call('EXPIRE', KEYS[1], ARGV[2], 'GT')  -- a kept table expires later
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 128, v .. '-0', 'e', ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[2], 'GT')
redis.call('SPUBLISH', ARGV[3], v)
return v
