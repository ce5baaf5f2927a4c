"""Runs the real hook and kills it, and then itself, after a random part of its usual time."""

import os
import random
import signal
import subprocess
import sys
import time

MILLIS_MAX = 6

process = subprocess.Popen(sys.argv[1:])
time.sleep(random.uniform(0, MILLIS_MAX) / 1000)
process.kill()
process.wait()
os.kill(os.getpid(), signal.SIGKILL)
