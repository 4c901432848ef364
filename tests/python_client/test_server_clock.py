from spider_race_client.connection import CLOCK_SAMPLES, ServerClock


def test_the_offset_is_that_of_the_shortest_trip_of_the_latest_pings() -> None:
    clock = ServerClock()
    assert clock.offset_ms == 0
    clock.measure(sent_ms=0, received_ms=100, now_ms=1_050)  # the way back took as long
    assert clock.offset_ms == 1_000
    clock.measure(sent_ms=200, received_ms=600, now_ms=1_590)
    assert clock.offset_ms == 1_000
    clock.measure(sent_ms=700, received_ms=710, now_ms=1_709)
    assert clock.offset_ms == 1_004
    for _ in range(CLOCK_SAMPLES):
        clock.measure(sent_ms=0, received_ms=20, now_ms=1_017)
    assert clock.offset_ms == 1_007


def test_another_connection_measures_anew_and_keeps_the_offset_until_then() -> None:
    clock = ServerClock()
    clock.measure(sent_ms=0, received_ms=2, now_ms=1_001)
    clock.begin_connection()
    assert clock.offset_ms == 1_000
    clock.measure(sent_ms=100, received_ms=400, now_ms=2_250)
    assert clock.offset_ms == 2_000
