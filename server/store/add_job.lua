-- Adds a job to a queue, unless the queue is full or a job with the same key was added before.
-- KEYS: the queue, the keys of its jobs.
-- ARGV: key, body, deadline, now, the most jobs, time until which the key is known, TTL.
-- Returns 1 if the job is added, else 0.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[4])
if redis.call('ZSCORE', KEYS[2], ARGV[1]) or redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[5]) then
  return 0
end
redis.call('XADD', KEYS[1], '*', 'key', ARGV[1], 'body', ARGV[2], 'deadline', ARGV[3])
redis.pcall('XGROUP', 'CREATE', KEYS[1], 'takers', '0')  -- refused if it is there
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[7])
redis.call('EXPIRE', KEYS[2], ARGV[7])
return 1
