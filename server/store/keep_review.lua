-- Adds a field to the review of a round; an existing field stays.
-- KEYS: review, room. ARGV: t0 of the round, TTL, and perhaps the name and the text of a field.
-- Returns 1, or 0 if there is no such room.
local t0, ttl, name, text = unpack(ARGV)
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 0
end
local stored_t0 = redis.call('HGET', KEYS[1], 't0')
if stored_t0 and stored_t0 ~= t0 then
  redis.call('DEL', KEYS[1])  -- of an earlier room with this code
end
redis.call('HSETNX', KEYS[1], 't0', t0)
if name then
  redis.call('HSETNX', KEYS[1], name, text)
end
redis.call('EXPIRE', KEYS[1], ttl, 'NX')
redis.call('EXPIRE', KEYS[1], ttl, 'GT')  -- a kept table expires later
return 1
