-- Puts a whole room in place of another one, or of none. Its keys were written under other names.
-- KEYS: room, the written keys and then as many final ones, and the keys of the room in place.
-- ARGV: 1 if a room in place is replaced, the number of written keys, TTL, channel.
-- Returns 1, or 0 if there is a room that is not to be replaced.
local count = tonumber(ARGV[2])
if ARGV[1] ~= '1' and redis.call('EXISTS', KEYS[1]) == 1 then
  for i = 2, 1 + count do
    redis.call('UNLINK', KEYS[i])
  end
  return 0
end
for i = 2 + 2 * count, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
for i = 2, 1 + count do
  redis.call('RENAME', KEYS[i], KEYS[i + count])
  redis.call('EXPIRE', KEYS[i + count], ARGV[3])
end
redis.call('SPUBLISH', ARGV[4], 'room')
return 1
