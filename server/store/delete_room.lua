-- Deletes all keys of a room. Needs no free memory, so that rooms of a full store can be deleted.
-- KEYS: room, and all other keys that the room may have. ARGV: the version to delete (or '' for
-- any version), channel, and a message to publish before the next version (or '').
-- Returns 1, or 0 if the room does not have this version or does not exist.
local v = redis.pcall('HGET', KEYS[1], 'v')  -- an error, if the room holds another type
if ARGV[1] ~= '' and v ~= ARGV[1] then
  return 0
end
for first = 1, #KEYS, 1000 do
  redis.call('UNLINK', unpack(KEYS, first, math.min(first + 999, #KEYS)))
end
if ARGV[3] ~= '' then
  redis.call('SPUBLISH', ARGV[2], ARGV[3])
end
redis.call('SPUBLISH', ARGV[2], (tonumber(v) or 0) + 1)
return 1
