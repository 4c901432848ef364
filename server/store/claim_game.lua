-- Settles the claim of a player to a game of a day. It names the room and the key of the game and
-- never changes, so all attempts of a player lead to one room, which is created once.
-- KEYS: the claims that stand, and the released ones, by player.
-- ARGV: player, the step, the claim if the player has none, when the keys expire (ms).
-- Steps: 'claim'; 'open' once the room is there; 'release' if it was not created, which changes no
--        claim that is open. Returns the claim.
local held = redis.call('HGET', KEYS[1], ARGV[1])
local claim = held or redis.call('HGET', KEYS[2], ARGV[1]) or ARGV[3]
local is_open = string.sub(claim, -5) == ' open'
if ARGV[2] == 'release' then
  if not held or is_open then
    return claim
  end
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], claim)
else
  if ARGV[2] == 'open' and not is_open then
    claim = claim .. ' open'
  end
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HSET', KEYS[1], ARGV[1], claim)
end
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, ARGV[4])
end
return claim
