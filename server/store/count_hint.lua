-- Counts a hint for a seat, for the writer of its log.
-- KEYS: the seat, its log. ARGV: n, TTL, the number of acts in the log.
-- Returns how many hints the seat has used in round n, -1 if the log has another number of acts, or 0
-- if the caller no longer writes it. Repeated requests at one position count once, since a reply may
-- have been lost.
local n, ttl, acts = unpack(ARGV)
local length = redis.call('LLEN', KEYS[2])
if length ~= acts + 1 then
  return length == 0 and 0 or -1
end
local hints = redis.call('HMGET', KEYS[1], 'hints', 'hints_n', 'hints_at')
local count = hints[2] == n and tonumber(hints[1]) or 0
if hints[2] == n and hints[3] == acts then
  return count
end
redis.call('HSET', KEYS[1], 'hints', count + 1, 'hints_n', n, 'hints_at', acts)
redis.call('EXPIRE', KEYS[1], ttl, 'GT')
return count + 1
