"""The bytes of a first visit, which are the same on every machine."""

import pytest
from playwright.async_api import async_playwright

from bench.page import MOST_BYTES, cold_page
from bench.subject import started
from tests.chromium import chromium_path


@pytest.mark.browser
async def test_the_front_page_takes_no_more_bytes_than_its_limit() -> None:
    async with started() as subject, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path())
        _, gzipped = await cold_page(browser, f"http://127.0.0.1:{subject.port}/")
        await browser.close()
    assert gzipped <= MOST_BYTES
