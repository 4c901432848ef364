-- Counts that a seat is given advice, or says why not. The negative numbers are those of scripts.py.
-- KEYS: room, seat, log. ARGV: n, TTL, channel, generation, at, now.
-- Returns how often the seat has been advised in round n. On one position it counts once, however
-- often it is asked for: an answer may have been lost on its way.
local room = redis.call('HMGET', KEYS[1], 'state', 'n', 't0', 't_end', 'hinted')
if room[1] ~= 'RUNNING' or room[2] ~= ARGV[1] then
  return -6
end
local now = tonumber(ARGV[6])
if now < tonumber(room[3]) then
  return -4
end
if room[4] ~= '' and now >= tonumber(room[4]) then
  return -5
end
local seat = redis.call('HMGET', KEYS[2], 'gen', 'out', 'advised', 'advised_n', 'advised_at')
if seat[1] ~= ARGV[4] then
  return tonumber(seat[1] or 0) < tonumber(ARGV[4]) and -7 or -3
end
if seat[2] == ARGV[1] then
  return -6
end
if redis.call('LLEN', KEYS[3]) ~= tonumber(ARGV[5]) then
  return -2
end
local count = seat[4] == ARGV[1] and tonumber(seat[3]) or 0
if seat[4] == ARGV[1] and seat[5] == ARGV[5] then
  return count
end
redis.call('HSET', KEYS[2], 'advised', count + 1, 'advised_n', ARGV[1], 'advised_at', ARGV[5])
redis.call('EXPIRE', KEYS[2], ARGV[2])
if not room[5] or math.abs(now - room[5]) >= 100 then
  redis.call('HSET', KEYS[1], 'hinted', now)
  redis.call('SPUBLISH', ARGV[3], 'standings')
end
return count + 1
