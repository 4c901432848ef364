-- Counts a network's guesses at codes and tokens. A guess is taken before its look-up, and given
-- back if it was right.
-- KEYS: a hash: how many guesses are spent, when that was counted (ms), and how many look-ups are
--       under way.
-- ARGV: action, now (ms), how many guesses a network may spend at once, how many it regains per ms,
--       and after how many ms a look-up counts as over.
--   take   Returns 0 if a guess is taken. Otherwise returns the ms until one is regained, or -1 if a
--          look-up under way may give one back.
--   right  Gives the guess back.
--   wrong  Keeps the guess spent.
-- The key expires once all guesses are regained.
local action, lookup_ms = ARGV[1], tonumber(ARGV[5])
local known = redis.call('HMGET', KEYS[1], 'spent', 'at', 'open')
local now, most, gained = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local spent, open, result = 0, 0, 0
if known[1] then
  local passed = math.max(0, now - known[2])
  spent = math.max(0, known[1] - passed * gained)
  -- Nobody ends the look-ups of a dead process.
  open = passed > lookup_ms and 0 or tonumber(known[3])
end
if action == 'take' then
  if spent + 1 > most then
    return open > 0 and -1 or math.ceil((spent + 1 - most) / gained)
  end
  spent, open = spent + 1, open + 1
else
  open = math.max(0, open - 1)
  if action == 'right' then
    spent = math.max(0, spent - 1)
  end
end
if spent <= 0 and open == 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('HSET', KEYS[1], 'spent', string.format('%.6f', spent), 'at', string.format('%.0f', now),
  'open', open)
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil(spent / gained) + lookup_ms))
return 0
