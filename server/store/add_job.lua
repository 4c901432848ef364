-- Adds a job to a queue, unless the queue is full or a job with the same key was added before.
-- KEYS: the queue, the keys of its jobs.
-- ARGV: key, body, deadline, now, the most jobs, time until which the key is known, TTL,
--   and by turns words and the most jobs whose bodies have them.
-- Returns 1 if the job is added, 2 if it is known, else 0.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  return 2
end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[5]) then
  return 0
end
local jobs = ARGV[8] and redis.call('XRANGE', KEYS[1], '-', '+') or {}
for i = 8, #ARGV, 2 do
  local shared = 0
  for _, job in ipairs(jobs) do
    if string.find(job[2][4], ARGV[i], 1, true) then
      shared = shared + 1
    end
  end
  if shared >= tonumber(ARGV[i + 1]) then
    return 0
  end
end
redis.call('XADD', KEYS[1], '*', 'key', ARGV[1], 'body', ARGV[2], 'deadline', ARGV[3])
redis.pcall('XGROUP', 'CREATE', KEYS[1], 'takers', '0')  -- refused if it is there
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('EXPIRE', KEYS[2], ARGV[7])
return 1
