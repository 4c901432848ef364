-- Settles a player's claim to a game of a day. A claim names the room and the key of the game and
-- never changes, so all attempts of a player lead to one room, which is created once.
-- KEYS: the claims that stand and the released ones, by player.
-- ARGV: player, step, the claim to make if the player has none, when the keys expire (ms).
-- Steps: 'claim'; 'open' once the room exists; 'release' if it was not created. ' open' follows an
--        open claim; ' +' and the number of attempts under way follow other standing claims. Only
--        the last attempt releases a claim, as another one may have created the room.
-- Returns the claim.
local claim = redis.call('HGET', KEYS[1], ARGV[1]) or redis.call('HGET', KEYS[2], ARGV[1]) or ARGV[3]
local game, attempts = string.match(claim, '^(.*) %+(%d+)$')
if string.sub(claim, -5) == ' open' or (ARGV[2] == 'release' and not attempts) then
  return claim
end
game, attempts = game or claim, (attempts or 0) + (ARGV[2] == 'claim' and 1 or -1)
local stands, other = KEYS[1], KEYS[2]
if ARGV[2] == 'open' then
  claim = game .. ' open'
elseif attempts > 0 then
  claim = game .. ' +' .. attempts
else
  claim, stands, other = game, KEYS[2], KEYS[1]
end
redis.call('HDEL', other, ARGV[1])
redis.call('HSET', stands, ARGV[1], claim)
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, ARGV[4])
end
return claim
