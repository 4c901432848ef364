-- Keeps the label of a deal; if there are too many, any other one is dropped.
-- KEYS: the labels. ARGV: the deal, its label, the most labels, TTL.
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
while redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) do
  local other = redis.call('HRANDFIELD', KEYS[1])
  if other ~= ARGV[1] then
    redis.call('HDEL', KEYS[1], other)
  end
end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1
