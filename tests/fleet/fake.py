#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A fake Prometheus: fake.py PORT_FILE LOG [CERTIFICATE KEY]

It writes its port into PORT_FILE, and each query into LOG. The path before /api/v1/query chooses
the answer: /good has a fleet of two hosts, and other paths fail in the way that their names say.
"""
import http.server
import json
import os
import re
import ssl
import sys
import time
import urllib.parse

# Slots per second of hosts and a cgroup: all, retiring, and lost in nodes of the second level.
HOSTS = {'web-1:9100': (1000, 700, 200, 100), 'db-1:9100': (4000, 1000, 2400, 600)}
CGROUPS = {'nginx.service': (500, 100, 300, 100), 'evil\x1b[31m"|\\.*': (50, 40, 5, 5)}
NODES = [('total', '', '0'), ('tma_retiring', 'total', '1'),
         ('tma_memory_bound', 'tma_backend_bound', '2'),
         ('tma_fetch_latency', 'tma_frontend_bound', '2')]


def node(i, **labels):
    metric, parent, level = NODES[i]
    labels.update(metric=metric, level=level)
    if parent:
        labels['parent'] = parent
    return labels


def tree(whole, label=None, name=None):
    more = {label: name} if label else {}
    parts = [(node(i, **more), value) for i, value in enumerate(whole)]
    back = dict(more, metric='tma_backend_bound', parent='total', level='1')
    front = dict(more, metric='tma_frontend_bound', parent='total', level='1')
    return parts + [(back, whole[2]), (front, whole[3])]


def whole():
    return tuple(map(sum, zip(*HOSTS.values())))


def answer(query):
    cgroups = 'cgroup!~' in query
    table = CGROUPS if cgroups else HOSTS
    label = 'cgroup' if cgroups else 'instance'
    if query.startswith('count('):
        return [({}, len(HOSTS))]
    if query.startswith('topk('):
        return [({label: name}, t[2] if 'tma_memory' in query else t[0] - t[1])
                for name, t in table.items()]
    if query.startswith(f'sum by ({label}) ('):
        return [({label: name}, t[0]) for name, t in table.items()]
    if f'by ({label}, metric' in query:
        pairs = [one for name, t in table.items() for one in tree(t, label, name)]
        return of(pairs, label) if is_of(query) else pairs
    if 'by (pmu' in query:
        values = (3000, 1500, 1000, 500) if 'offset' in query else whole()
        pairs = tree(values, 'pmu', 'cpu')
        return of(pairs, 'pmu') if is_of(query) else pairs
    return tree(whole())[:2]


def is_of(query):
    """Return: whether the query asks for the wholes of shares: for each node, the slots of the
    hosts that measure it.
    """
    return '* 0 + ignoring (metric, parent, level) group_left ()' in query


def of(pairs, label):
    """The wholes of these nodes' shares: all slots in the trees that have the node."""
    total = {labels.get(label): value for labels, value in pairs if labels['metric'] == 'total'}
    return [(labels, total[labels.get(label)]) for labels, value in pairs
            if labels['metric'] != 'total']


# Hosts with 1000 and 9000 slots per second lose 60 % in the back end; only the first host has level
# 2.
PART = [(node(0, pmu='cpu'), 10000, 0), (node(1, pmu='cpu', parent='total'), 4000, 10000),
        ({'metric': 'tma_backend_bound', 'parent': 'total', 'level': '1'}, 6000, 10000),
        (node(2, pmu='cpu'), 450, 1000),
        ({'metric': 'tma_core_bound', 'parent': 'tma_backend_bound', 'level': '2'}, 50, 1000)]


def part(query):
    if query.startswith('count('):
        return [({}, 2)]
    if query.startswith('topk('):
        return [({'cluster': 'eu'}, 450 if 'tma_memory' in query else 6000)]
    if query.startswith('sum by (cluster) ('):
        return [({'cluster': 'eu'}, 1000)]
    tell = [(dict(labels, pmu='cpu', cluster='eu'), all_of if is_of(query) else slots)
            for labels, slots, all_of in PART]
    return [one for one in tell if not is_of(query) or one[0]['metric'] != 'total']


def vector(pairs):
    return [{'metric': labels, 'value': [1700000000.5, str(value)]} for labels, value in pairs]


class Fake(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers['Content-Length'])).decode())
        query = form['query'][0]
        with open(sys.argv[2], 'a', encoding='utf-8') as log:
            print(query, form.get('time', ['now'])[0], self.headers.get('Authorization', '-'),
                  file=log)
        # A client asks a proxy for a whole URL.
        way = re.fullmatch(r'(?:http://[^/]*)?/([a-z]+)/api/v1/query', self.path)
        getattr(self, 'do_' + (way[1] if way else 'nothing'), self.do_nothing)(query)

    def reply(self, status, text, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def success(self, result, **more):
        said = {'status': 'success', 'data': {'resultType': 'vector', 'result': result}, **more}
        self.reply(200, json.dumps(said).encode())

    def do_good(self, query):
        self.success(vector(answer(query)))

    def do_part(self, query):
        self.success(vector(part(query)))

    def do_warns(self, query):
        self.success(vector(answer(query)), warnings=['a store\x1b[2J could\nnot\tbe reached'])

    def do_many(self, query):
        count = query.startswith('count(')
        self.success(vector([({}, '1e300')] if count else answer(query)))

    def do_values(self, _):
        self.reply(200, b'{"status":"success","data":[' + b'[],' * 750000 + b'[]]}')

    def do_empty(self, _):
        self.success([])

    def do_bad(self, _):
        self.reply(400, b'{"status":"error","errorType":"bad_data","error":"parse error: no"}')

    def do_full(self, _):
        self.reply(503, b'<html>busy</html>')

    def do_half(self, _):
        self.reply(200, b'{"status":"success","data":{"resultType":"vector","res')

    def do_other(self, _):
        self.success([{'metric': {'metric': 'x', 'level': 'deep'}, 'value': [1, '2']}])

    def do_huge(self, _):
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(66):
                self.wfile.write(b' ' * (1 << 20))
        except OSError:
            pass

    def do_slow(self, _):
        time.sleep(20)

    def do_cut(self, _):
        self.send_response(200)
        self.send_header('Content-Length', '1000')
        self.end_headers()
        self.wfile.write(b'{"status"')

    def do_secret(self, _):
        self.reply(401, b'who?')

    def do_moved(self, _):
        self.reply(302, b'', ('Location', '/good/api/v1/query'))

    def do_nothing(self, _):
        self.reply(404, b'404 page not found\n')

    def log_message(self, *args):
        pass


def main():
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Fake)
    server.daemon_threads = True
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
        server.socket = context.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
    with open(sys.argv[1] + '.new', 'w', encoding='utf-8') as file:
        print(server.server_port, file=file)
    os.rename(sys.argv[1] + '.new', sys.argv[1])
    server.serve_forever()


if __name__ == '__main__':
    main()
