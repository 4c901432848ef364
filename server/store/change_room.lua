-- Writes a room's record if it is still at the version that the writer has read.
-- KEYS: room, events; the seat to create or to give another token, if any; seat and log of each race
--       that starts; seat, log and closed log of each race that ends; the keys to delete; history and
--       shelf of a kept table, if they change.
-- ARGV: version read (0: no such room), doc, n, deadline, public, event, TTL, channel; the hash of
--       that seat's token or '', its generation or '' to keep it; the room's row in the list of public
--       rooms; how many races start, and how many end; the room's form; for each race that ends, what
--       the writer has read (`SeatRecord.fingerprint`) and the id of its latest act; if a history
--       changes: its greatest length, how many rounds change on the shelf, the number and text of
--       each ('' removes it), and the entries to append.
-- Returns the new version, or 0 if the room has another version or a seat has changed.
local read_v, doc, n, deadline, public, event, ttl, channel, token_hash, generation, row, begin_count,
  end_count, form = unpack(ARGV, 1, 14)
local v = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if v ~= tonumber(read_v) then
  return 0
end
local token_seat = token_hash ~= '' and KEYS[3]
local first_begin = token_seat and 4 or 3
local first_end = first_begin + 2 * begin_count
local first_gone = first_end + 3 * end_count
for i = 0, end_count - 1 do
  local seat = redis.call('HMGET', KEYS[first_end + 3 * i], 'writer', 'hints')
  local last = redis.call('LINDEX', KEYS[first_end + 3 * i + 1], -1) or ''
  if (seat[1] or '') .. ' ' .. (seat[2] or '0') .. ' ' .. last ~= ARGV[15 + 2 * i] then
    return 0
  end
end
v = v + 1
if v == 1 then
  -- The stream of an earlier room with this code would refuse the new ids.
  redis.call('DEL', KEYS[2])
end
redis.call('HSET', KEYS[1], 'v', v, 'doc', doc, 'deadline', deadline,
  'public', public, 'row', row, 'form', form)
redis.call('EXPIRE', KEYS[1], ttl)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 128, v .. '-0', 'e', event)
redis.call('EXPIRE', KEYS[2], ttl)
if token_seat then
  if generation ~= '' then
    redis.call('DEL', token_seat)
    redis.call('HSET', token_seat, 'gen', generation)
  end
  redis.call('HSET', token_seat, 'token', token_hash)
  redis.call('EXPIRE', token_seat, ttl)
end
for i = first_begin, first_end - 1, 2 do
  redis.call('HSET', KEYS[i], 'n', n, 'writer', 0)
  redis.call('EXPIRE', KEYS[i], ttl)
  redis.call('DEL', KEYS[i + 1])
  redis.call('RPUSH', KEYS[i + 1], '')
  redis.call('EXPIRE', KEYS[i + 1], ttl)
end
for i = 0, end_count - 1 do
  local seat, log, closed = unpack(KEYS, first_end + 3 * i, first_end + 3 * i + 2)
  redis.call('HDEL', seat, 'writer')
  redis.call('HSET', seat, 'id', ARGV[16 + 2 * i])
  if log ~= closed and redis.call('EXISTS', log) == 1 then
    redis.call('RENAME', log, closed)
  end
end
local first = 15 + 2 * end_count  -- of the arguments about a history
local last_gone = ARGV[first] and #KEYS - 2 or #KEYS
for i = first_gone, last_gone do
  redis.call('UNLINK', KEYS[i])
end
if ARGV[first] then
  -- A round must end even if one of these keys is damaged.
  local history, shelf = KEYS[last_gone + 1], KEYS[last_gone + 2]
  local length, first_entry = ARGV[first], first + 2 + 2 * ARGV[first + 1]
  for i = first + 2, first_entry - 1, 2 do
    if ARGV[i + 1] == '' then
      redis.pcall('HDEL', shelf, ARGV[i])
    else
      redis.pcall('HSET', shelf, ARGV[i], ARGV[i + 1])
    end
  end
  for i = first_entry, #ARGV do
    redis.pcall('RPUSH', history, ARGV[i])
  end
  redis.pcall('LTRIM', history, -length, -1)
  redis.call('EXPIRE', history, ttl)
  redis.call('EXPIRE', shelf, ttl)
end
redis.call('SPUBLISH', channel, v)
return v
