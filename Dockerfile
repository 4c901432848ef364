# One image for every server. With a Redis it stores nothing; alone it has its store in /data.
FROM python:3.13.16-slim-bookworm AS build
WORKDIR /build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN python -m venv --without-pip /opt/spider-race && python -m venv /opt/build
COPY deploy/requirements.txt deploy/requirements_build.txt ./
# pip checks each file against its hash; later steps fetch nothing else.
RUN /opt/build/bin/pip --python /opt/spider-race/bin/python install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
RUN /opt/build/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements_build.txt
# Everything except .dockerignore. In a checkout Git's files have the commit.
COPY . .
# The wheel has compiled modules; the image has no compiler, no mypy and no pip.
RUN HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 /opt/build/bin/pip wheel --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir wheel .
RUN /opt/build/bin/pip --python /opt/spider-race/bin/python install --no-cache-dir --disable-pip-version-check --no-deps wheel/*.whl

FROM python:3.13.16-slim-bookworm
COPY --from=build /opt/spider-race /opt/spider-race
ENV PATH=/opt/spider-race/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SPIDER_RACE_HOST=0.0.0.0 \
    SPIDER_RACE_PORT=8000 \
    SPIDER_RACE_LOG_FORMAT=json \
    SPIDER_RACE_DATA_DIR=/data
# For the image alone, with the embedded store; Compose has a Redis.
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
VOLUME /data
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8001/healthz', timeout=4)"]
ENTRYPOINT ["spider-race"]
