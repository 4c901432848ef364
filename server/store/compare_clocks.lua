-- Compares clocks. The agreed time is this node's TIME plus a shift, which undoes steps of TIME.
-- KEYS: clock. ARGV: action, the caller's name, for how many ms a confirmation counts, TTL (s). For
-- `confirm` also the caller's time and how many ms it may differ; for `undo` the step (ms) and the
-- shift that the caller used when it detected the step.
--   start    a process starts: after a restart the agreed time must not run backwards
--   confirm  confirm the agreed time, if it matches the caller's time
--   undo     undo a step of TIME, once, even if several callers detect it
-- Returns the agreed time in ms, the shift, 1 if another process has just confirmed the time (or,
-- at a start, if none ever has), and 1 if this call has undone a step. No call sets the time, so
-- late calls are harmless.
local action, caller, valid_ms, ttl = unpack(ARGV, 1, 4)
local time = redis.call('TIME')
local raw = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[1], 'shift', 'at', 'raw', 'by')
-- Anything but a number counts as missing.
local at = tonumber(known[2])
local shift = tonumber(known[1] or 0) or 0
local seen = tonumber(known[3] or 0) or 0
local fresh = known[4] and known[4] ~= caller and raw >= seen and raw - seen <= tonumber(valid_ms)
if not known[4] and action == 'start' then
  fresh = true
end
local undone = 0
if action == 'start' and at and raw + shift < at then
  shift = at - raw
  undone = 1
elseif action == 'undo' and shift == tonumber(ARGV[6]) then
  shift = shift - tonumber(ARGV[5])
  undone = 1
end
if undone == 1 then
  redis.call('HSET', KEYS[1], 'shift', string.format('%.0f', shift))
end
-- Undoing a step also confirms the time: if two callers disagree, the second one follows.
-- `confirm` compares with the present TIME, which may have stepped a moment ago.
local fits = action == 'confirm' and math.abs(raw + shift - ARGV[5]) <= tonumber(ARGV[6])
if undone == 1 or fits then
  redis.call('HSET', KEYS[1], 'at', string.format('%.0f', raw + shift),
    'raw', string.format('%.0f', raw), 'by', caller)
end
redis.call('EXPIRE', KEYS[1], ttl)
return {raw + shift, shift, fresh and 1 or 0, undone}
