# SPDX-License-Identifier: GPL-2.0-only
"""Measures the cost of tma serve: tests/bench/serve.py BUILD

* the CPU time of an hour of "tma serve -I 15000 --td-level 2" on 64 simulated CPUs: 240 rows in
  stepped time, without the start, but including the simulator;
* the memory of both processes after an answer: with everything that they share with others (RSS),
  and with their part of it (PSS);
* scrapes per second, from one client at a time and from 16, with and without credentials.
"""
import base64
import http.client
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

BUILD = sys.argv[1]
TMA = os.path.join(BUILD, "tma")
SECONDS = 3


def machine(directory):
    """A sapphirerapids with 64 CPUs."""
    source = os.path.join(BUILD, "machines")
    with open(os.path.join(source, "sapphirerapids"), encoding="utf-8") as f:
        text = re.sub(r"(?m)^(core|node) .*\n", "", f.read())
    cores = "".join(f"core {i},{i + 32} package={i // 16} id={i % 16}\n" for i in range(32))
    text = re.sub(r"(?m)^cpus 0-7$", "cpus 0-63\n" + cores +
                  "node 0 0-15,32-47\nnode 1 16-31,48-63", text, count=1)
    for name in os.listdir(source):
        if name.endswith(".part"):
            os.symlink(os.path.realpath(os.path.join(source, name)), os.path.join(directory, name))
    path = os.path.join(directory, "spr64")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def cpu_of(path, rows):
    """Return: the CPU time of this many rows, in seconds."""
    env = dict(os.environ, TMA_SIM_STEP="15000")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([TMA, "--machine", path, "stat", "-a", "-I", "15000", "--interval-count",
                    str(rows), "--topdown", "--td-level", "2", "--format=prom", "-o",
                    path + ".prom"], env=env, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(*pids):
    sums = {"Rss": 0, "Pss": 0}
    for pid in pids:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as f:
            text = f.read()
        for name in sums:
            sums[name] += int(re.search(name + r": +(\d+)", text)[1])
    return f"{sums['Rss']} KiB RSS, {sums['Pss']} KiB PSS"


def scrape(port, headers, until, counts):
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    while time.monotonic() < until:
        client.request("GET", "/metrics", headers=headers)
        answer = client.getresponse()
        assert answer.status == 200 and len(answer.read()) > 1000, answer.status
        counts.append(1)


def rate(port, headers, clients):
    counts = []
    until = time.monotonic() + SECONDS
    threads = [threading.Thread(target=scrape, args=(port, headers, until, counts))
               for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(counts) / SECONDS


def serve(path, *args):
    process = subprocess.Popen([TMA, "--machine", path, "serve", "-I", "200", "--td-level", "2",
                                "--listen", "127.0.0.1:0", *args], stderr=subprocess.PIPE,
                               text=True)
    for line in process.stderr:
        found = re.search(r":(\d+)/metrics", line)
        if found:
            return process, int(found[1])
    raise SystemExit("tma serve does not begin")


def cpu_of_process(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = machine(directory)
        hours = [cpu_of(path, 240) for _ in range(3)]
        ones = [cpu_of(path, 1) for _ in range(3)]
        print(f"an hour, 240 rows: {min(hours) - min(ones):.3f} s of processor time with the "
              f"simulator's, {(min(hours) - min(ones)) / 36:.4f} % of a CPU; to begin: "
              f"{min(ones):.3f} s")
        process, port = serve(path)
        time.sleep(2)
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as f:
            child = int(f.read())
        rate(port, {}, 1)
        print(f"memory: server {memory(process.pid)}; measurement {memory(child)}; together "
              f"{memory(process.pid, child)}")
        idle = cpu_of_process(process.pid)
        time.sleep(10)
        print(f"server without clients: {(cpu_of_process(process.pid) - idle) * 10:.2f} % of a CPU")
        for clients in 1, 16:
            before = cpu_of_process(process.pid)
            got = rate(port, {}, clients)
            cost = (cpu_of_process(process.pid) - before) / (got * SECONDS)
            print(f"{clients} clients: {got:.0f} scrapes/s, {cost * 1e6:.0f} us of the server each")
        process.terminate()
        config = os.path.join(directory, "web.yml")
        with open(config, "w", encoding="ascii") as f:
            f.write("basic_auth_users:\n  other: "
                    "$2y$05$bI60h65zPzKONlvz/RgIT.kzp2YrDrL35P/sOzC6CT/gSCvqeDEcm\n")
        process, port = serve(path, "--web-config", config)
        time.sleep(2)
        user = {"Authorization": "Basic " + base64.b64encode(b"other:second").decode()}
        for clients in 1, 16:
            print(f"{clients} clients with credentials: {rate(port, user, clients):.0f} scrapes/s")
        process.terminate()


main()
