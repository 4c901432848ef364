-- Adds a deal to a pool that is not full. KEYS: the pool. ARGV: the deal, the most deals, TTL.
-- Returns 1 if the deal is added, else 0.
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
