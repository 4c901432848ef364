-- Takes a deal from a pool, and notes that deals of this pool are wanted, or waited for.
-- KEYS: the pool, the hash of all pools. ARGV: name of the pool, now, deals to drop, TTL.
-- Returns the deal or nil, and the time at which a thinking process was last there.
-- A server that was restarted, or that was a replica, may have lost the latest takes. So the deals
-- that were next are dropped then: none is given twice.
local info = redis.pcall('INFO', 'server')
local server = type(info) == 'string' and string.match(info, 'run_id:(%x+)')
if server then
  local before = redis.call('HGET', KEYS[2], 'server:' .. ARGV[1])
  if before ~= server then
    redis.call('HSET', KEYS[2], 'server:' .. ARGV[1], server)
  end
  if before and before ~= server then
    redis.call('LTRIM', KEYS[1], ARGV[3], -1)
  end
end
local deal = redis.call('LPOP', KEYS[1])
redis.call('HSET', KEYS[2], 'wanted:' .. ARGV[1], ARGV[2])
if not deal then
  redis.call('HSET', KEYS[2], 'waiting:' .. ARGV[1], ARGV[2])
end
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return {deal, redis.call('HGET', KEYS[2], 'alive')}
