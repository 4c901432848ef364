-- Replaces the claim of a player to a game of a day, if it is still the one that was read.
-- KEYS: the claims by player. ARGV: player, the claim that was read ('' for none), the new one
--       ('' to remove it), when the key expires (ms). Returns the claim that stands.
local claim = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if claim ~= ARGV[2] then
  return claim
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  redis.call('PEXPIREAT', KEYS[1], ARGV[4])
end
return ARGV[3]
