-- Takes a job: a new one, or else one whose taker has been silent for too long.
-- KEYS: the queue. ARGV: the taker, ms of silence, now, TTL, the most tries, or '' for any number.
--   Of the jobs of silent takers, the one with the fewest tries comes first.
--   Those with more than the most tries are passed over.
--   A job that the taker holds already is no further try.
-- Returns the id, the fields and the number of tries of the job, or nil.
local groups = redis.pcall('XINFO', 'GROUPS', KEYS[1])
if groups.err or #groups == 0 then
  return nil  -- nothing was ever queued
end
while true do
  local new = redis.call('XREADGROUP', 'GROUP', 'takers', ARGV[1], 'COUNT', 1, 'STREAMS', KEYS[1], '>')
  if not new then
    break
  end
  local job = new[1][2][1]
  if tonumber(job[2][6]) > tonumber(ARGV[3]) then
    redis.call('EXPIRE', KEYS[1], ARGV[4])
    return {job[1], job[2], 1}
  end
  redis.call('XACK', KEYS[1], 'takers', job[1])
  redis.call('XDEL', KEYS[1], job[1])
end
local most = tonumber(ARGV[5]) or math.huge
local all = redis.call('XPENDING', KEYS[1], 'takers')[1]
while true do
  -- Not XAUTOCLAIM, which looks at ten jobs for each one that it may return.
  local silent = redis.call('XPENDING', KEYS[1], 'takers', 'IDLE', ARGV[2], '-', '+', all)
  local first
  for _, held in ipairs(silent) do
    if held[4] <= most and (not first or held[4] < first[4]) then
      first = held
    end
  end
  if not first then
    return nil
  end
  local tries = first[2] == ARGV[1] and first[4] or first[4] + 1
  local job = redis.call('XCLAIM', KEYS[1], 'takers', ARGV[1], 0, first[1], 'RETRYCOUNT', tries)[1]
  if job then
    redis.call('EXPIRE', KEYS[1], ARGV[4])
    return {job[1], job[2], tries}
  end
  redis.call('XACK', KEYS[1], 'takers', first[1])  -- its entry is gone
end
