-- Agrees on the time. The reference is this node's TIME plus a shift, which undoes steps of TIME.
-- KEYS: clock. ARGV: the caller's time in ms or nothing, the caller's name, ms that make a step,
-- ms for which another process's confirmation counts, TTL.
-- Returns the agreed time in ms, and the ms of a step that this call has undone.
local time = redis.call('TIME')
local raw = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'shift', 'at', 'raw', 'by')
local shift = tonumber(known[1] or 0)
local now = raw + shift
local claimed = tonumber(ARGV[1])
local stepped = 0
if claimed == nil then
  -- A process that has just started knows one thing: the agreed time does not run backwards.
  claimed = math.max(now, tonumber(known[2] or 0))
elseif math.abs(now - claimed) > tonumber(ARGV[3]) and known[4] ~= ARGV[2] then
  local since = raw - tonumber(known[3] or 0)
  if since >= 0 and since <= tonumber(ARGV[4]) then
    -- Another process has just found this clock right: the caller's own stood still.
    return {now, 0}
  end
end
if math.abs(now - claimed) > tonumber(ARGV[3]) then
  stepped = now - claimed
  shift = claimed - raw
  now = claimed
end
redis.call('HSET', KEYS[1], 'shift', string.format('%.0f', shift), 'at', string.format('%.0f', now),
  'raw', string.format('%.0f', raw), 'by', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return {now, stepped}
