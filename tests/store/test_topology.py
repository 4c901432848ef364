import asyncio

import pytest

from server.store.address import Address, parse_addresses
from server.store.cluster import Topology, parse_slots, slot_of
from tests.present import present
from tests.waiting import until


def test_a_room_is_in_one_slot() -> None:
    # The example is from the specification of Redis Cluster.
    assert slot_of("123456789") == 0x31C3
    assert slot_of("{123456789}:room") == slot_of("{123456789}:log:1:0") == 0x31C3


def test_slots_are_parsed_with_their_nodes() -> None:
    reply = [
        [0, 5460, [b"10.0.0.1", 7000, b"id"], [b"replica.example", 7001, b"id", []]],
        [5461, 16383, [None, 7002, b"id", [b"hostname", b"x"]], [b"?", 7003], [b"", 7004]],
    ]
    found = parse_slots(Address("redis://seed:1"), reply)
    assert [(slots, str(master)) for slots, master in found] == [
        (range(5461), "10.0.0.1:7000"),
        (range(5461, 16384), "seed:7002"),
    ]


def test_the_map_of_a_single_redis_is_never_refreshed() -> None:
    seeds, clustered = parse_addresses("redis://localhost")
    topology = Topology(seeds, clustered=clustered)
    topology.request_refresh()  # without an event loop: no task is started
    assert set(topology.owners) == set(seeds)


@pytest.mark.parametrize(
    "unreadable",
    [b"*1\r\n*1\r\n:0\r\n", b"*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$9\r\n127.0.0.1\r\n:1\r\n"],
)
async def test_a_map_that_cannot_be_read_ends_no_refresh(unreadable: bytes) -> None:
    answers = [unreadable, b"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$5\r\nother\r\n:7000\r\n"]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answers.pop(0))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as node:
        seeds, clustered = parse_addresses(
            f"redis+cluster://127.0.0.1:{node.sockets[0].getsockname()[1]}"
        )
        topology = Topology(seeds, clustered=clustered)
        topology.request_refresh()
        await until(lambda: len(answers) == 1)
        topology.request_refresh()
        await until(lambda: str(topology.owners[0]) == "other:7000")
        await topology.close()
        topology.request_refresh()  # as a connection that is closed after it does
        assert present(topology._task).done()
