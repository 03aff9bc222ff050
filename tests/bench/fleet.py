#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures what a fleet costs its Prometheus

    tests/bench/fleet.py [--hosts N] [--level N] [--cgroups N] [--seconds N] BUILD

One process serves any number of hosts, in tma's format; each host has its own counters, which grow.
A real Prometheus with the rules of scripts/fleet scrapes them every 15 s. It prints, after three
minutes: series and bytes of a host, samples per second, memory and CPU time of Prometheus, how long
each group of rules takes, and how long queries of tma fleet take; and the bytes of a sample on
disk, from six hours of twenty hosts.
"""
import argparse
import http.server
import json
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

INTERVAL = 15  # seconds
BEGIN = time.time() - 3600


def text_of(tma, folder, level, *more):
    path = os.path.join(folder, 'text')
    subprocess.run([tma, '--machine', 'sapphirerapids', 'stat', '-a', '--topdown', '--td-level',
                    str(level), '-I', '15000', '--interval-count', '1', '--format=prom', '-o', path,
                    *more], env=dict(os.environ, TMA_SIM_STEP='1000'), check=True,
                   stderr=subprocess.DEVNULL)
    with open(path, encoding='utf-8') as file:
        return file.read()


def with_cgroups(text, nr):
    """The families of nodes, repeated for each cgroup."""
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if line.startswith(('tma_slots_total{', 'tma_counted_ratio{')):
            lines += [line.replace('pmu="cpu"', f'pmu="cpu",cgroup="service-{i}.service"')
                      for i in range(nr)]
    return '\n'.join(lines) + '\n'


class Hosts:
    """Texts of the hosts at any time. Counters are those of a text of 15 s, times a factor for each
    host.
    """

    def __init__(self, text):
        self.parts = re.split(r'(?m)^(tma_(?:slots|measured_seconds)_total.*) ([\d.]+)$', text)

    def text(self, host, now):
        chance = random.Random(host)
        rows = (now - BEGIN) // INTERVAL
        out = []
        for i in range(0, len(self.parts) - 1, 3):
            value = float(self.parts[i + 2])
            if 'slots' in self.parts[i + 1]:
                factor = chance.uniform(0.2, 2)
                step = random.Random(int(rows)).uniform(0.9, 1.1)
                value = int(value * factor * (rows + step))
            else:
                value = value * rows
            out.append(f'{self.parts[i]}{self.parts[i + 1]} {value}')
        return ''.join(out) + self.parts[-1]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    hosts = None

    def do_GET(self):
        text = Handler.hosts.text(self.path.split('/')[1], time.time()).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/plain; version=0.0.4')
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass


class Prometheus:
    def __init__(self, folder, port, hosts):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        targets = [{'targets': [f'127.0.0.1:{port}'],
                    'labels': {'instance': f'host-{i}', 'cluster': f'c{i % 10}',
                               '__metrics_path__': f'/host-{i}/metrics'}} for i in range(hosts)]
        with open(f'{folder}/targets.json', 'w', encoding='utf-8') as file:
            json.dump(targets, file)
        with open(f'{folder}/prometheus.yml', 'w', encoding='utf-8') as file:
            file.write(f'''
global: {{scrape_interval: {INTERVAL}s, evaluation_interval: {INTERVAL}s}}
rule_files: ["{os.path.abspath("scripts/fleet/tma.rules.yml")}"]
scrape_configs:
  - {{job_name: tma, file_sd_configs: [{{files: ["{folder}/targets.json"]}}]}}
  - {{job_name: self, static_configs: [{{targets: ["127.0.0.1:{self.port}"]}}]}}
''')
        with open(f'{folder}/log', 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(
                ['prometheus', f'--config.file={folder}/prometheus.yml',
                 f'--storage.tsdb.path={folder}/data',
                 f'--web.listen-address=127.0.0.1:{self.port}'],
                env=dict(os.environ, GOMAXPROCS='2'), stdout=log, stderr=log)

    def query(self, text):
        data = urllib.parse.urlencode({'query': text}).encode()
        url = f'http://127.0.0.1:{self.port}/api/v1/query'
        with urllib.request.urlopen(url, data, 60) as answer:
            return json.loads(answer.read())['data']['result']

    def number(self, text):
        found = self.query(text)
        return float(found[0]['value'][1]) if found else float('nan')


def disk(hosts, folder):
    """Bytes per sample, from the metadata of Prometheus' blocks."""
    nr, rows = 20, 6 * 3600 // INTERVAL
    now, families = int(time.time()) - rows * INTERVAL - 7200, {}
    now -= now % 7200
    for host in range(nr):
        for row in range(rows):
            at = now + row * INTERVAL
            for line in hosts.text(f'host-{host}', at).splitlines():
                if not line.startswith('#'):
                    labels, value = line.rsplit(' ', 1)
                    name, _, rest = labels.partition('{')
                    key = f'{name}{{instance="host-{host}"{"," + rest if rest else "}"} '
                    families.setdefault(name, []).append(f'{key}{value} {at}')
    with open(f'{folder}/metrics', 'w', encoding='utf-8') as file:
        for name, lines in families.items():
            file.write(f'# TYPE {name} unknown\n' + '\n'.join(lines) + '\n')
        file.write('# EOF\n')
    subprocess.run(['promtool', 'tsdb', 'create-blocks-from', 'openmetrics', '-q',
                    f'{folder}/metrics', f'{folder}/blocks'], check=True, stdout=subprocess.DEVNULL)
    size = sum(os.path.getsize(os.path.join(path, name))
               for path, _, names in os.walk(f'{folder}/blocks') for name in names)
    return size / sum(len(lines) for lines in families.values())


QUERIES = {
    'tma fleet top: hosts': 'topk(10, sum by (instance) (rate(tma_slots_total{metric="total",'
                            'cgroup=~"/?"}[10m])) - sum by (instance) (rate(tma_slots_total{'
                            'metric=~"(tma_)?retiring",cgroup=~"/?"}[10m])))',
    'tma fleet tree': 'sum by (pmu, metric, parent, level) (rate(tma_slots_total{level=~"0|1|2",'
                      'cgroup=~"/?"}[10m]))',
    'and what its shares are of':
        'sum by (pmu, metric, parent, level) (rate(tma_slots_total{level=~"1|2",cgroup=~"/?"}[10m])'
        ' * 0 + ignoring (metric, parent, level) group_left () '
        'rate(tma_slots_total{metric="total",cgroup=~"/?"}[10m]))',
    'the slots of what rules recorded':
        'sum by (pmu, metric, parent, level) (cluster:tma_slots:rate5m)',
}


def measure(prometheus, text):
    series = sum(not line.startswith('#') for line in text.splitlines())
    print(f'a host: {series} series, {len(text)} bytes a scrape')
    for words, query in (
            ('series, with the rules\'', 'prometheus_tsdb_head_series'),
            ('samples a second', 'rate(prometheus_tsdb_head_samples_appended_total[1m])'),
            ('memory, MiB', 'process_resident_memory_bytes{job="self"} / 1048576'),
            ('processor, share of one', 'rate(process_cpu_seconds_total{job="self"}[1m])'),
            ('a scrape, ms (median)', '1000 * quantile(0.5, scrape_duration_seconds{job="tma"})'),
            ('targets that answer', 'sum(up{job="tma"})')):
        print(f'{words}: {prometheus.number(query):.2f}')
    for one in prometheus.query('prometheus_rule_group_last_duration_seconds'):
        print(f'rules {one["metric"]["rule_group"].split(";")[1]}: '
              f'{1000 * float(one["value"][1]):.0f} ms')
    for words, query in QUERIES.items():
        took = []
        for _ in range(5):
            begin = time.monotonic()
            prometheus.query(query)
            took.append(time.monotonic() - begin)
        print(f'{words}: {1000 * sorted(took)[2]:.0f} ms')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--hosts', type=int, default=1000)
    parser.add_argument('--level', type=int, default=2)
    parser.add_argument('--cgroups', type=int, default=0)
    parser.add_argument('--seconds', type=int, default=180)
    parser.add_argument('build')
    args = parser.parse_args()
    if not shutil.which('prometheus'):
        print('needs prometheus (scripts/setup check-fleet)')
        return
    with tempfile.TemporaryDirectory() as folder:
        text = with_cgroups(text_of(os.path.join(args.build, 'tma'), folder, args.level),
                            args.cgroups)
        Handler.hosts = Hosts(text)
        if not args.cgroups:
            print(f'on disk: {disk(Handler.hosts, folder):.2f} bytes a sample')
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        prometheus = Prometheus(folder, server.server_port, args.hosts)
        try:
            time.sleep(args.seconds)
            measure(prometheus, text)
        finally:
            prometheus.process.terminate()
            prometheus.process.wait()


if __name__ == '__main__':
    main()
