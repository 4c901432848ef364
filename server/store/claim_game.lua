-- Settles a player's claim to a game of a day. A claim names the room and the key of the game and
-- never changes, so all attempts of a player lead to one room, which is created once.
-- KEYS: the claims that stand and the released ones, by player.
-- ARGV: player, step, the claim to make if the player has none, when the keys expire (ms).
-- Steps: 'claim'; 'open' once the room exists; 'release' if it was not created. ' open' follows an
--        open claim; ' +' and the number of attempts under way follow other standing claims. Only
--        the last attempt releases a claim, as another one may have created the room.
-- Returns the claim.
local player, step, new_claim, expires_ms = unpack(ARGV)
local claim = redis.call('HGET', KEYS[1], player) or redis.call('HGET', KEYS[2], player) or new_claim
local game, attempts = string.match(claim, '^(.*) %+(%d+)$')
if string.sub(claim, -5) == ' open' or (step == 'release' and not attempts) then
  return claim
end
game, attempts = game or claim, (attempts or 0) + (step == 'claim' and 1 or -1)
local stands, other = KEYS[1], KEYS[2]
if step == 'open' then
  claim = game .. ' open'
elseif attempts > 0 then
  claim = game .. ' +' .. attempts
else
  claim, stands, other = game, KEYS[2], KEYS[1]
end
redis.call('HDEL', other, player)
redis.call('HSET', stands, player, claim)
for _, key in ipairs(KEYS) do
  redis.call('PEXPIREAT', key, expires_ms)
end
return claim
