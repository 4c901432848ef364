-- Adds a field to the review of a round; an existing field stays.
-- KEYS: review, room. ARGV: t0 of the round, TTL, and perhaps the name and the text of a field.
-- Returns 1, or 0 if there is no such room.
if redis.call('EXISTS', KEYS[2]) == 0 then
  return 0
end
local t0 = redis.call('HGET', KEYS[1], 't0')
if t0 and t0 ~= ARGV[1] then
  redis.call('DEL', KEYS[1])  -- of an earlier room with this code
end
redis.call('HSETNX', KEYS[1], 't0', ARGV[1])
if ARGV[3] then
  redis.call('HSETNX', KEYS[1], ARGV[3], ARGV[4])
end
redis.call('EXPIRE', KEYS[1], ARGV[2], 'NX')
redis.call('EXPIRE', KEYS[1], ARGV[2], 'GT')  -- a kept table expires later
return 1
