-- Renews, releases or finishes a job that a taker holds.
-- KEYS: the queue. ARGV: the taker, the id of the job, action.
--   keep     The taker goes on with the job.
--   reset    The same, and the job counts as never tried.
--   release  Another taker may have the job at once; this try does not count.
--   finish   The job is removed.
-- Returns 1 if it was done, or 0 if the taker does not hold the job.
local held = redis.pcall('XPENDING', KEYS[1], 'takers', ARGV[2], ARGV[2], 1, ARGV[1])
if held.err or #held == 0 then
  return 0
end
if ARGV[3] == 'finish' then
  redis.call('XACK', KEYS[1], 'takers', ARGV[2])
  redis.call('XDEL', KEYS[1], ARGV[2])
elseif ARGV[3] == 'release' then
  redis.call('XCLAIM', KEYS[1], 'takers', 'nobody', 0, ARGV[2], 'TIME', 0,
    'RETRYCOUNT', math.max(0, held[1][4] - 1), 'JUSTID')
elseif ARGV[3] == 'reset' then
  redis.call('XCLAIM', KEYS[1], 'takers', ARGV[1], 0, ARGV[2], 'RETRYCOUNT', 0, 'JUSTID')
else
  redis.call('XCLAIM', KEYS[1], 'takers', ARGV[1], 0, ARGV[2], 'JUSTID')
end
return 1
