#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs simulated hosts with the real node_exporter, Prometheus and Alertmanager: real.py TMA

Each of three hosts keeps one mix during the test; tma in stepped time tells what this mix is. The
second host is nearly idle. A fourth host is like the first, but measures only level 1. A fifth is
made up: everything that alerts are about happens to it. Two more Prometheus each scrape a part of
the hosts, and another one combines what these record, by the job in Documentation/fleet.adoc.
Prints a line "ok NAME" or "not ok NAME: why" for each check. The times in the rules are shortened;
nothing else in them is changed.
"""
import contextlib
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

TMA = os.path.abspath(sys.argv[1])
MACHINES = os.path.abspath('lib/sim/machines')
RULES = 'scripts/fleet/tma.rules.yml'
GLOBAL_RULES = 'scripts/fleet/tma.global.rules.yml'
MANUAL = 'Documentation/fleet.adoc'
DASHBOARD = 'scripts/fleet/tma.dashboard.json'
# For each host: the machine, its constant phase, and how busy its CPUs are.
HOSTS = {'busy': ('sapphirerapids', 1, 1), 'idle': ('icelakex', 2, 0.1),
         'older': ('skylakex', 3, 1)}
# The hosts of each shard.
SHARDS = (('busy', 'idle'), ('older',))
WINDOW = '20s'
POINTS = 0.1
SHORT = [(r'\[5m\]', '[10s]'), (r'\[1h\]', '[5m]'), (r'offset 1d', 'offset 20s'),
         (r'for: \d+m', 'for: 2s')]
PATIENCE = 120  # seconds


def say(name, why=None):
    print(f'ok {name}' if why is None else f'not ok {name}: {why}', flush=True)


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def fetch(url, data=None):
    with urllib.request.urlopen(url, data, timeout=20) as answer:
        return answer.read().decode()


def wait_for(what, patience=PATIENCE):
    """Return: what() once it is true, or else its last value."""
    end = time.monotonic() + patience
    while True:
        try:
            found = what()
        except (urllib.error.URLError, OSError):
            found = None
        if found or time.monotonic() > end:
            return found
        time.sleep(0.5)


class Hooks(http.server.BaseHTTPRequestHandler):
    """The notifications that Alertmanager sends."""
    alerts = []

    def do_POST(self):
        told = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        Hooks.alerts += told['alerts']
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args):
        pass


class MadeUp(http.server.BaseHTTPRequestHandler):
    """A host, and a cgroup in it, with given numbers of slots: shares in percent, before and after."""
    NODES = [('total', '', 0, 100, 100), ('tma_retiring', 'total', 1, 40, 25),
             ('tma_backend_bound', 'total', 1, 40, 10), ('tma_frontend_bound', 'total', 1, 20, 50),
             ('tma_memory_bound', 'tma_backend_bound', 2, 30, 10),
             ('tma_fetch_latency', 'tma_frontend_bound', 2, 20, 50)]
    ERROR = (1, 10)
    SLOTS = 1e6  # a second, for each percent
    began = time.monotonic()
    changed = None

    @classmethod
    def slots(cls, before, after):
        now = time.monotonic()
        changed = cls.changed or now
        return cls.SLOTS * (before * (changed - cls.began) + after * (now - changed))

    def do_GET(self):
        lines = ['# TYPE tma_info gauge', 'tma_info{version="made up"} 1',
                 '# TYPE tma_measured_seconds_total counter',
                 f'tma_measured_seconds_total {time.monotonic() - self.began}',
                 '# TYPE tma_slots_total counter']
        for cgroup in '', ',cgroup="web.slice"':
            for metric, parent, level, before, after in self.NODES:
                of = f',parent="{parent}"' if parent else ''
                lines.append(f'tma_slots_total{{metric="{metric}"{of},level="{level}",pmu="cpu"{cgroup}}} '
                             f'{self.slots(before, after):.0f}')
        lines += ['# TYPE tma_error_slots_total counter',
                  'tma_error_slots_total{metric="tma_retiring",parent="total",level="1",pmu="cpu"} '
                  f'{self.slots(*self.ERROR):.0f}', '']
        self.send_response(200)
        self.send_header('Content-Type', 'text/plain; version=0.0.4')
        self.end_headers()
        self.wfile.write('\n'.join(lines).encode())

    def log_message(self, *args):
        pass


class Fleet:
    """Everything that runs, in a folder of its own."""

    def __init__(self, folder):
        self.folder, self.running = folder, {}
        self.prometheus, self.alertmanager, self.hook = free_port(), free_port(), free_port()
        self.ports = {host: free_port() for host in HOSTS}
        self.serve_ports = {host: free_port() for host in HOSTS}
        self.made_up, self.flat = free_port(), free_port()
        self.shards, self.above = [free_port() for _ in SHARDS], free_port()

    def start(self, name, words, **more):
        log = open(os.path.join(self.folder, name + '.log'), 'a', encoding='utf-8')
        with log:
            self.running[name] = subprocess.Popen(words, stdout=log, stderr=log,
                                                  stdin=subprocess.DEVNULL, **more)

    def kill(self, name):
        process = self.running.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def stop(self):
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    # --- Hosts

    def put_machine(self, host):
        name, phase, load = HOSTS[host]
        with open(os.path.join(MACHINES, name), encoding='utf-8') as file:
            text = file.read()
        lengths = re.search(r'^phases (.*)$', text, re.M)[1].split()
        lengths = ['1us'] * len(lengths)
        lengths[phase - 1] = '3600s'
        cpus = re.search(r'^cpus (.*)$', text, re.M)[1]
        text = re.sub(r'^load .*\n', '', text, flags=re.M)
        text = re.sub(r'^phases .*$', f'phases {" ".join(lengths)}\nload {cpus} {load}', text,
                      flags=re.M)
        return self.put(f'machines/{host}', text)

    def tma_words(self, host, path, interval, *more):
        return [TMA, '--machine', self.machines[host], 'stat', '-a', '--topdown', '--td-level', '2',
                '--error', '-I', str(interval), '--format=prom', '-o', path, *more]

    def start_tma(self, host):
        os.makedirs(os.path.join(self.folder, host), exist_ok=True)
        path = os.path.join(self.folder, host, 'tma.prom')
        self.start(f'tma-{host}', self.tma_words(host, path, 100))

    def start_serve(self, host):
        self.start(f'serve-{host}', [
            TMA, '--machine', self.machines[host], 'serve', '-I', '100', '--td-level', '2',
            '--error', '--listen', f'127.0.0.1:{self.serve_ports[host]}'])

    def start_flat(self):
        self.start('serve-flat', [
            TMA, '--machine', self.machines['busy'], 'serve', '-I', '100', '--td-level', '1',
            '--listen', f'127.0.0.1:{self.flat}'])

    def truth(self, host):
        """Slots per second of each node, from ten stepped seconds."""
        path = os.path.join(self.folder, f'truth-{host}')
        subprocess.run(self.tma_words(host, path, 1000, '--interval-count', '10'), check=True,
                       env=dict(os.environ, TMA_SIM_STEP='100'), stderr=subprocess.DEVNULL)
        with open(path, encoding='utf-8') as file:
            found = re.findall(r'^tma_slots_total\{metric="(\w+)",.*\} (\d+)$', file.read(), re.M)
        return {metric: int(slots) / 10 for metric, slots in found}

    def start_all(self):
        shutil.copytree(MACHINES, os.path.join(self.folder, 'machines'))
        self.machines = {host: self.put_machine(host) for host in HOSTS}
        self.truths = {host: self.truth(host) for host in HOSTS}
        for host, port in self.ports.items():
            self.start_tma(host)
            self.start_serve(host)
            self.start(f'node-{host}', [
                'prometheus-node-exporter', '--collector.disable-defaults', '--collector.textfile',
                f'--collector.textfile.directory={self.folder}/{host}',
                f'--web.listen-address=127.0.0.1:{port}'])
        self.start_flat()
        self.put_rules(RULES)
        self.put_rules(GLOBAL_RULES)
        jobs = ''.join(self.job(job, ports) for job, ports in
                       (('node', self.ports), ('tma', self.serve_ports),
                        ('flat', {'flat': self.flat}), ('made', {'made-up': self.made_up})))
        self.start_prometheus('prometheus', self.prometheus, f'''
rule_files: [tma.rules.yml]
alerting: {{alertmanagers: [{{static_configs: [{{targets: ["127.0.0.1:{self.alertmanager}"]}}]}}]}}
scrape_configs:
{jobs}''')
        self.start_shards()
        config = self.put('alertmanager.yml', f'''
route: {{receiver: hook, group_wait: 1s, group_interval: 1s}}
receivers: [{{name: hook, webhook_configs: [{{url: "http://127.0.0.1:{self.hook}/"}}]}}]
''')
        self.start('alertmanager', [
            'prometheus-alertmanager', f'--config.file={config}',
            f'--storage.path={self.folder}/alerts', '--cluster.listen-address=',
            f'--web.listen-address=127.0.0.1:{self.alertmanager}'])

    def put_rules(self, path):
        with open(path, encoding='utf-8') as file:
            rules = file.read()
        for long, short in SHORT:
            rules = re.sub(long, short, rules)
        self.put(os.path.basename(path), rules)

    def start_prometheus(self, name, port, config, external=''):
        path = self.put(f'{name}.yml', f'global: {{scrape_interval: 1s, evaluation_interval: 1s, '
                                       f'external_labels: {{{external}}}}}\n{config}')
        self.start(name, [
            'prometheus', f'--config.file={path}', f'--storage.tsdb.path={self.folder}/{name}.data',
            f'--web.listen-address=127.0.0.1:{port}'])

    def start_shards(self):
        for i, (port, hosts) in enumerate(zip(self.shards, SHARDS)):
            job = self.job('tma', {host: self.serve_ports[host] for host in hosts})
            self.start_prometheus(f'shard-{i}', port, f'''
rule_files: [tma.rules.yml]
scrape_configs:
{job}''', f'shard: "{i}"')
        with open(MANUAL, encoding='utf-8') as file:
            blocks = re.findall(r'(?ms)^----\n(.*?)^----$', file.read())
        config = next(block for block in blocks if 'job_name: federate' in block)
        config = re.sub(r'"prometheus-(\d+):9090"',
                        lambda m: f'"127.0.0.1:{self.shards[int(m[1]) - 1]}"', config)
        self.start_prometheus('above', self.above, config)

    @staticmethod
    def job(name, ports):
        return f'  - job_name: {name}\n    static_configs:\n' + ''.join(
            f'      - targets: ["127.0.0.1:{port}"]\n'
            f'        labels: {{cluster: {name}, name: {host}}}\n'
            for host, port in ports.items())

    # --- Questions

    def url(self):
        return f'http://127.0.0.1:{self.prometheus}'

    def query(self, text, port=None):
        data = urllib.parse.urlencode({'query': text}).encode()
        url = f'http://127.0.0.1:{port}' if port else self.url()
        result = json.loads(fetch(url + '/api/v1/query', data))['data']['result']
        return {json.dumps(one['metric'], sort_keys=True): float(one['value'][1]) for one in result}

    def number(self, text, port=None):
        found = self.query(text, port)
        return next(iter(found.values())) if len(found) == 1 else float('nan')

    def fleet_share(self, metric, job):
        rate = f'sum(rate(tma_slots_total{{metric="%s",job="{job}"}}[{WINDOW}]))'
        return 100 * self.number(f'{rate % metric} / {rate % "total"}')

    def true_share(self, metric):
        total = sum(truth['total'] for truth in self.truths.values())
        return 100 * sum(truth[metric] for truth in self.truths.values()) / total


NODES = ['tma_retiring', 'tma_backend_bound', 'tma_frontend_bound', 'tma_bad_speculation',
         'tma_memory_bound', 'tma_core_bound', 'tma_fetch_latency', 'tma_branch_mispredicts']


def off(got, fleet):
    """Return: a description of the values that are too far from the truth, or None."""
    wrong = [f'{metric} is {value:.3f} %, and {fleet.true_share(metric):.3f} in truth'
             for metric, value in got.items()
             if not abs(value - fleet.true_share(metric)) <= POINTS]
    return '; '.join(wrong) or None


def shares(fleet, job):
    return {metric: fleet.fleet_share(metric, job) for metric in NODES}


def is_settled(fleet, hosts=2 * len(HOSTS) + 2):
    """Return: whether all hosts have been moved for a little longer than a window."""
    seconds = int(WINDOW[:-1]) + 3
    return fleet.number('count(rate(tma_measured_seconds_total[3s]) > 0)') == hosts and \
        fleet.number(f'count(tma_info offset {seconds}s)') >= hosts


def check_shares(fleet):
    wait_for(lambda: is_settled(fleet))
    # On a loaded computer a scrape may come late: the window is then inexact for a while.
    for job, how in (('node', 'by files'), ('tma', 'by tma serve')):
        wait_for(lambda j=job: off(shares(fleet, j), fleet) is None, 60)
        say(f"{how}: the fleet's shares are those of all slots, to 0.1 points",
            off(shares(fleet, job), fleet))
    rate = f'sum by (instance) (rate(tma_slots_total{{metric="%s",job="node"}}[{WINDOW}]))'
    mean = 100 * fleet.number(f'avg({rate % "tma_backend_bound"} / {rate % "total"})')
    true = fleet.true_share('tma_backend_bound')
    say('the mean of the ratios is not', None if abs(mean - true) > 10 * POINTS else
        f'{mean:.2f} %, and {true:.2f} in truth')
    print(f'# tma_backend_bound: {true:.3f} % in truth, '
          f'{fleet.fleet_share("tma_backend_bound", "node"):.3f} by slots, {mean:.3f} as the mean of '
          'ratios', flush=True)


def check_rules(fleet):
    rules = json.loads(fetch(fleet.url() + '/api/v1/rules'))['data']['groups']
    wrong = [rule['lastError'] for group in rules for rule in group['rules']
             if rule.get('lastError')]
    say('the rules are evaluated', '; '.join(wrong) or None)
    recorded = 'avg_over_time(cluster:tma_share:rate5m{metric="%s",cluster="tma"}[15s])'
    got = {metric: 100 * fleet.number(recorded % metric) for metric in NODES[:4]}
    wrong = [f'{metric} is {value:.2f} %' for metric, value in got.items()
             if not abs(value - fleet.true_share(metric)) <= 3 * POINTS]
    say('and record the same', '; '.join(wrong) or None)
    first = max((m for m in fleet.truths['busy'] if fleet_level_2(m)), key=fleet.true_share)
    found = list(fleet.query('cluster:tma_bottleneck:rate5m{cluster="tma"}'))
    say("and the cluster's bottleneck", None if len(found) == 1 and f'"{first}"' in found[0] else
        f'{found}, not {first}')


def check_shards(fleet):
    """The third Prometheus has all slots of the cluster, and its own shares and bottleneck."""
    def wrong():
        total = fleet.number('avg_over_time(cluster:tma_slots:rate5m{metric="total"}[15s])', fleet.above)
        true = sum(truth['total'] for truth in fleet.truths.values())
        if not abs(total / true - 1) < 0.03:
            return f'{total:.4g} slots a second, and {true:.4g} in truth'
        return '; '.join(
            f'{metric} is {share:.2f} %' for metric, share in
            ((m, 100 * fleet.number(f'avg_over_time(cluster:tma_share:rate5m{{metric="{m}"}}[15s])',
                                    fleet.above)) for m in NODES)
            if not abs(share - fleet.true_share(metric)) <= 3 * POINTS)
    wait_for(lambda: not wrong(), 60)
    say('a Prometheus above two shards has the slots and shares of both', wrong() or None)
    found = list(fleet.query('cluster:tma_bottleneck:rate5m', fleet.above))
    first = max((m for m in fleet.truths['busy'] if fleet_level_2(m)), key=fleet.true_share)
    say('and their bottleneck', None if len(found) == 1 and f'"{first}"' in found[0] else
        f'{found}, not {first}')


def check_level(fleet):
    """Metrics that only the idle host has are attributed to it, although another host is ten times
    as busy.
    """
    status, out, err = fleet_command(fleet, 'tree', '-j', '--select',
                                     'job=~"tma|flat",name=~"idle|flat"')
    tree = json.loads(out)['trees'][0] if not status else {'nodes': []}
    got = {node['metric']: node['share'][0] for node in tree['nodes']}
    idle, busy = fleet.truths['idle'], fleet.truths['busy']
    true = {metric: idle[metric] / idle['total'] if fleet_level_2(metric) else
            (idle[metric] + busy[metric]) / (idle['total'] + busy['total']) for metric in NODES}
    wrong = [f'{metric} is {100 * got.get(metric, -1):.2f} %, and {100 * share:.2f} in truth'
             for metric, share in true.items()
             if not abs(got.get(metric, -1) - share) <= POINTS / 100]
    return err or '; '.join(wrong) or None


def fleet_level_2(metric):
    return metric in ('tma_memory_bound', 'tma_core_bound', 'tma_fetch_latency',
                      'tma_fetch_bandwidth', 'tma_branch_mispredicts', 'tma_machine_clears')


def check_dashboard(fleet):
    with open(DASHBOARD, encoding='utf-8') as file:
        panels = json.load(file)['panels']
    wrong = []
    for panel in panels:
        for target in panel.get('targets', []):
            text = target['expr'].replace('$level', '2').replace('$cluster', '.*')
            text = text.replace('$instance', '.*').replace('$cgroup', '.*')
            found = fleet.query(text)
            if not found:
                wrong.append(f'{panel["title"]}: nothing')
    say('each panel of the dashboard has an answer', '; '.join(wrong) or None)


def fleet_command(fleet, *words):
    done = subprocess.run([TMA, 'fleet', '--prometheus', fleet.url(), '--window', WINDOW, *words],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    return done.returncode, done.stdout, done.stderr


def check_command(fleet):
    status, out, err = fleet_command(fleet, 'tree', '-j', '--select', 'job="tma"')
    tree = json.loads(out)['trees'][0] if not status else {'nodes': []}
    got = {node['metric']: 100 * node['share'][0] for node in tree['nodes']}
    say('tma fleet tree', err or off({m: got.get(m, -1) for m in NODES}, fleet))
    status, out, err = fleet_command(fleet, '--by', 'name', '-j', '--select', 'job="node"')
    rows = json.loads(out)['tables'][0]['rows'] if not status else []
    lost = {host: t['total'] - t['tma_retiring'] for host, t in fleet.truths.items()}
    order = sorted(lost, key=lost.get, reverse=True)
    say('tma fleet top puts first who loses most', err or (
        None if [row['name'] for row in rows] == order else f'{rows}, not {order}'))
    wrong = [row['name'] for row in rows if abs(row['lost'] / lost[row['name']] - 1) > 0.05]
    say('and says how much', ' '.join(wrong) or None)
    status, out, err = fleet_command(fleet, 'diff', '-j', '--select', 'name="busy"', '--against',
                                     'name="idle"')
    tree = json.loads(out)['trees'][0] if not status else {'nodes': []}
    share = {node['metric']: node['share'] for node in tree['nodes']}
    wrong = [f'{metric} of {host}' for side, host in enumerate(('busy', 'idle')) for metric in NODES
             if abs(share.get(metric, [-1, -1])[side] -
                    fleet.truths[host][metric] / fleet.truths[host]['total']) > POINTS / 100]
    say('tma fleet diff of two hosts', err or '; '.join(wrong) or None)
    wait_for(lambda: check_level(fleet) is None, 30)
    say('tma fleet tree of hosts that measure two levels and one', check_level(fleet))


def check_restart(fleet, job, name, start):
    fleet.kill(name + '-busy')
    time.sleep(2)
    start('busy')
    one = f'job="{job}",name="busy"'
    wait_for(lambda: fleet.number(f'sum(resets(tma_measured_seconds_total{{{one}}}[1m]))') >= 1)
    most = fleet.number(f'max_over_time((sum(rate(tma_slots_total{{metric="total",{one}}}[5s])))'
                        '[20s:1s])')
    true = fleet.truths['busy']['total']
    # Rows that are lost in between are missing, and no slot is counted twice: a reset makes no
    # jump.
    say(f'{name} that was killed and began anew counts nothing twice', None if
        most < 1.5 * true else f'{most:.3g} slots a second, and {true:.3g} in truth')
    wait_for(lambda: off(shares(fleet, job), fleet) is None, 90)
    say('and the shares are the same again', off(shares(fleet, job), fleet))


def told(alert, **labels):
    return any(one['labels'].get('alertname') == alert and one['status'] == 'firing' and
               all(one['labels'].get(key) == value for key, value in labels.items())
               for one in Hooks.alerts)


def check_quiet(but, when):
    early = sorted({one['labels']['alertname'] for one in Hooks.alerts} - {but})
    say(f'no alert fires {when}', ' '.join(early) or None)


def check_made_up(fleet):
    """One host exports everything that can be wrong, at the same time."""
    MadeUp.changed = time.monotonic()
    instance = f'127.0.0.1:{fleet.made_up}'
    expected = (('TmaTreeDoesNotAddUp', {'instance': instance}),
                ('TmaErrorTooLarge', {'instance': instance, 'metric': 'tma_retiring'}),
                ('TmaBottleneckChanged', {'of': 'cluster', 'cluster': 'made',
                                          'metric': 'tma_fetch_latency'}),
                ('TmaBottleneckChanged', {'of': 'cgroup', 'cgroup': 'web.slice',
                                          'metric': 'tma_fetch_latency'}))
    for name, labels in expected:
        found = wait_for(lambda n=name, l=labels: told(n, **l))
        what = f"{name} of a {labels['of']}" if 'of' in labels else name
        say(f'Alertmanager tells of {what}', None if found else
            f'{[one["labels"] for one in Hooks.alerts]}')


def check_alerts(fleet):
    check_made_up(fleet)
    fleet.kill('tma-idle')
    fleet.kill('serve-older')
    for reason, port in (('stopped', fleet.ports['idle']), ('gone', fleet.serve_ports['older'])):
        instance = f'127.0.0.1:{port}'
        found = wait_for(lambda r=reason, i=instance: told('TmaExporterLost', reason=r, instance=i))
        say(f'Alertmanager tells of an exporter that is lost: {reason}', None if found else
            f'{[one["labels"] for one in Hooks.alerts]}')


def main():
    for tool in ('prometheus', 'prometheus-node-exporter', 'prometheus-alertmanager'):
        if not shutil.which(tool):
            print(f'skip tests/fleet/real.py: needs {tool} (scripts/setup check-fleet)')
            return 0
    with tempfile.TemporaryDirectory() as folder:
        fleet = Fleet(folder)
        hook = http.server.HTTPServer(('127.0.0.1', fleet.hook), Hooks)
        made_up = http.server.ThreadingHTTPServer(('127.0.0.1', fleet.made_up), MadeUp)
        for server in hook, made_up:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        with contextlib.ExitStack() as stack:
            stack.callback(fleet.stop)
            fleet.start_all()
            check_shares(fleet)
            check_rules(fleet)
            check_shards(fleet)
            check_dashboard(fleet)
            check_command(fleet)
            check_quiet(None, 'where all is well')
            check_restart(fleet, 'node', 'tma', fleet.start_tma)
            check_restart(fleet, 'tma', 'serve', fleet.start_serve)
            check_quiet('TmaExporterLost', 'for an exporter that began anew')
            check_alerts(fleet)
    return 0


if __name__ == '__main__':
    sys.exit(main())
