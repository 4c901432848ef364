-- Executes one command with one key, even if the memory is full. The caller must use it only for
-- commands that end a room or need no more space than before.
-- KEYS: the key. ARGV: the command, and its arguments after the key.
return redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
