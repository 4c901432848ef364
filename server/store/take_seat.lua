-- Gives a seat a new generation, and renames the log of its race, so that commands of an earlier
-- writer find no list.
-- KEYS: the seat; during a race also the log under its present name and under its new one.
-- ARGV: TTL, the generation and the writer that the caller has read ('': none), the new generation.
-- Returns the length and the last element of the list, or 1 without a race, or 0 if the seat has
-- changed since it was read.
local ttl, generation, writer, new_generation = unpack(ARGV)
local seat = redis.call('HMGET', KEYS[1], 'gen', 'writer')
if seat[1] ~= generation or (seat[2] or '') ~= writer then
  return 0
end
redis.call('HSET', KEYS[1], 'gen', new_generation)
redis.call('EXPIRE', KEYS[1], ttl, 'GT')  -- a seat at a kept table expires later
if not KEYS[2] then
  return 1
end
redis.call('HSET', KEYS[1], 'writer', new_generation)
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[3])
  redis.call('EXPIRE', KEYS[3], ttl, 'GT')
else
  redis.call('RPUSH', KEYS[3], '')
  redis.call('EXPIRE', KEYS[3], ttl)
end
return {redis.call('LLEN', KEYS[3]), redis.call('LINDEX', KEYS[3], -1)}
