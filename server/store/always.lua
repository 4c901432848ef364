-- Executes one command of one key, even if the memory is full: for what ends a room or takes no
-- more space than before.
-- KEYS: the key. ARGV: the command, and what follows its key.
return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
