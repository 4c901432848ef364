-- Removes everything of a room. Needs no memory: a full store empties itself by this.
-- KEYS: room, and all other keys that the room may have. ARGV: the version to be removed (or
-- nothing: any), channel.
-- Returns 1, or 0 if the room is at another version or is not there.
if ARGV[1] ~= '' and redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then
  return 0
end
for first = 1, #KEYS, 1000 do
  redis.call('UNLINK', unpack(KEYS, first, math.min(first + 999, #KEYS)))
end
redis.call('SPUBLISH', ARGV[2], 'room')
return 1
