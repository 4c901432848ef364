"""What the benchmark measures of the page: the bytes of a first visit, and a drag."""

import pytest
from playwright.async_api import async_playwright

from bench.page import MOST_BYTES, cold_page, dragging
from bench.subject import started
from tests.chromium import chromium_path


@pytest.mark.browser
async def test_the_front_page_stays_within_its_bytes_and_the_benchmark_can_drag_a_card() -> None:
    """No test ran the drag, and it waited in vain for a field that the page no longer showed."""
    async with started() as subject, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path())
        address = f"http://127.0.0.1:{subject.port}/"
        _, gzipped = await cold_page(browser, address)
        drags = await dragging(browser, address, 0.2)
        await browser.close()
    assert gzipped <= MOST_BYTES
    assert all(figure.value > 0 for figure in drags)
