-- Counts the guesses of a network at codes and tokens. A guess is taken before its look-up, and
-- given back if it was right.
-- KEYS: the guesses, a hash: spent, the time of that, and the number that are looked up now.
-- ARGV: action, now, the most at once, those gained in a ms, ms after which a look-up counts as over.
--   take   Returns 0 if the guess is taken. Else returns the ms until one is gained, or -1 if a
--          guess that is looked up now may be given back.
--   right  The guess that was taken is given back.
--   wrong  The guess that was taken is spent.
-- The key expires once all guesses are gained again.
local known = redis.call('HMGET', KEYS[1], 'spent', 'at', 'open')
local now, most, gained = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local spent, open, result = 0, 0, 0
if known[1] then
  local passed = math.max(0, now - known[2])
  spent = math.max(0, known[1] - passed * gained)
  -- A process that has died ends none of its look-ups.
  open = passed > tonumber(ARGV[5]) and 0 or tonumber(known[3])
end
if ARGV[1] == 'take' then
  if spent + 1 > most then
    return open > 0 and -1 or math.ceil((spent + 1 - most) / gained)
  end
  spent, open = spent + 1, open + 1
else
  open = math.max(0, open - 1)
  if ARGV[1] == 'right' then
    spent = math.max(0, spent - 1)
  end
end
if spent <= 0 and open == 0 then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('HSET', KEYS[1], 'spent', string.format('%.6f', spent), 'at', string.format('%.0f', now),
  'open', open)
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil(spent / gained) + ARGV[5]))
return 0
