# One image for every replica: it keeps nothing, all of it is in Redis.
FROM python:3.13.16-slim-bookworm AS build
WORKDIR /build
RUN python -m venv /opt/spider-race
COPY requirements.txt ./
# Each file is checked against its hash; nothing else is fetched afterwards.
RUN /opt/spider-race/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY protocol/ protocol/
COPY server/ server/
COPY web_client/ web_client/
RUN /opt/spider-race/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM python:3.13.16-slim-bookworm
COPY --from=build /opt/spider-race /opt/spider-race
ENV PATH=/opt/spider-race/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SPIDER_RACE_HOST=0.0.0.0 \
    SPIDER_RACE_PORT=8000 \
    SPIDER_RACE_LOG_FORMAT=json \
    SPIDER_RACE_DATA_DIR=/data
# For those who run the image alone, with the embedded store; compose gives a Redis.
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
VOLUME /data
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8001/healthz', timeout=4)"]
ENTRYPOINT ["spider-race"]
