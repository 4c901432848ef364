-- Deletes all keys of a room. This needs no free memory, so it also works in a full store.
-- KEYS: room, and all other keys that the room may have. ARGV: the version to delete ('': any),
-- channel, and a message to publish before the next version ('': none).
-- Returns 1, or 0 if the room has another version or does not exist.
local version, channel, message = unpack(ARGV)
local v = redis.pcall('HGET', KEYS[1], 'v')  -- an error if the key holds another type
if version ~= '' and v ~= version then
  return 0
end
for first = 1, #KEYS, 1000 do
  redis.call('UNLINK', unpack(KEYS, first, math.min(first + 999, #KEYS)))
end
if message ~= '' then
  redis.call('SPUBLISH', channel, message)
end
redis.call('SPUBLISH', channel, (tonumber(v) or 0) + 1)
return 1
