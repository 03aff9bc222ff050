# SPDX-License-Identifier: GPL-2.0-only
"""tma serve as clients, signals and the service manager see it: serve.py TMA TEST

A test is a function. It raises an AssertionError if something is wrong, and exits with status 77
and a reason if it cannot run here. Waits have a wide limit, and end when the awaited event has
come.
"""
import base64
import concurrent.futures
import contextlib
import glob
import gzip
import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

TMA = sys.argv[1]
WAIT_S = 60
MACHINE = ["--machine", "sapphirerapids", "serve"]
FIRST = "prometheus:secret: ü", "$2y$05$YTmlgTuBDt.4hWpIY.4Ni.BU1V8QPzstQrSGDQ7G0a04d.sv65dKO"
SECOND = "other:second", "$2y$05$HM3uGUkYY09PebYFdS2CmOb4IRFImfrcBVeZ6Lu7uV6qbY2HOpplm"


class Skip(Exception):
    pass


def wait_for(what, probe):
    """Ask until the answer is true. Return: this answer."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        answer = probe()
        if answer:
            return answer
        time.sleep(0.02)
    raise AssertionError(f"waited {WAIT_S} s for {what}")


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=WAIT_S)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()
        if self.headers.get("Content-Encoding") == "gzip":
            self.body = gzip.decompress(self.body)
        self.text = self.body.decode()


def samples(text):
    """The numbers of an exposition, by the name with its labels."""
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
            for line in text.splitlines() if line and line[0] != "#"}


class Server:
    """A running server. dir: the directory that it runs in"""

    def __init__(self, *args, listen="127.0.0.1:0", machine=MACHINE, interval="50", env=None,
                 **popen):
        self.dir = tempfile.mkdtemp()
        self.log_path = os.path.join(self.dir, "log")
        self.tls = False
        listens = ["--listen", listen] if listen else []
        self.process = subprocess.Popen(
            [TMA, *machine, *listens, "-I", interval, *args], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.log_path, "wb"), cwd=self.dir,
            env={**os.environ, **(env or {})}, **popen)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(WAIT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        log = self.log()
        shutil.rmtree(self.dir)
        if what[0] and what[0] is not Skip:
            print(log)
        # A build with sanitizers prints errors of both processes, whatever the status is.
        assert "Sanitizer: " not in log and "runtime error: " not in log, log

    def log(self):
        with open(self.log_path, encoding="utf-8") as f:
            return f.read()

    def waits(self):
        """Wait until the server listens. Return: the server."""
        wait_for("the line that says where it serves",
                 lambda: "serving" in self.log() or self.process.poll() is not None)
        found = re.search(r"serving http(s?)://(\S+):(\d+)/metrics", self.log())
        if found:
            self.tls = bool(found[1])
            self.host, self.port = found[2].strip("[]"), int(found[3])
            self.host = "127.0.0.1" if self.host == "0.0.0.0" else self.host
        self.path = None if found else re.search(r"on unix:(\S+),", self.log())[1]
        return self

    def connect(self):
        if self.path:
            return UnixConnection(self.path)
        if self.tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return http.client.HTTPSConnection(self.host, self.port, timeout=WAIT_S,
                                               context=context)
        return http.client.HTTPConnection(self.host, self.port, timeout=WAIT_S)

    def ask(self, path="/metrics", method="GET", user=None, body=None, **headers):
        if user:
            headers["Authorization"] = "Basic " + base64.b64encode(user.encode()).decode()
        connection = self.connect()
        connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def ready(self, **kinds):
        """Wait for the first row. Return: the server."""
        self.waits()
        wait_for("a row", lambda: self.ask("/healthz", **kinds).status == 200)
        return self

    def measuring(self):
        """Return: the id of the process that measures, or 0."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children",
                  encoding="ascii") as f:
            children = f.read().split()
        return int(children[0]) if children else 0

    def send(self, data):
        """Send bytes. Return: what comes until the connection ends or a second has passed."""
        got = b""
        with socket.create_connection((self.host, self.port), timeout=1) as s:
            with contextlib.suppress(OSError):
                s.sendall(data)
                while part := s.recv(65536):
                    got += part
        return got

    def end(self, signo=signal.SIGTERM):
        self.process.send_signal(signo)
        return self.process.wait(WAIT_S)


def write_config(server_dir, *users, tls=False):
    path = os.path.join(server_dir, "web.yml")
    with open(path, "w", encoding="utf-8") as f:
        if users:
            f.write("basic_auth_users:\n")
        for name, value in users:
            f.write(f"  {name.split(':')[0]}: {value}\n")
        if tls:
            f.write("tls_server_config:\n  cert_file: cert\n  key_file: key\n")
    return path


def make_certificate(to, name):
    if not shutil.which("openssl"):
        raise Skip("openssl is not installed")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", to + "/key", "-out",
                    to + "/cert", "-subj", "/CN=" + name, "-days", "2"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# --- Tests --------------------------------------------------------------------------------

def forms():
    with Server("--td-level", "2") as s:
        s.ready()
        plain = s.ask()
        assert plain.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        assert 'tma_slots_total{metric="tma_memory_bound",parent="tma_backend_bound",level="2"' \
            in plain.text, plain.text
        assert "# TYPE tma_slots_total counter" in plain.text
        assert s.ask("http://any.where/metrics").status == 200, "the form that proxies use"
        assert s.ask("*", method="OPTIONS").status == 405
        other = s.ask(Accept="application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
        assert other.headers["Content-Type"] == \
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        assert other.text.endswith("\n# EOF\n") and "# TYPE tma_slots counter" in other.text
        assert "# TYPE tma info" in other.text, other.text
        assert samples(other.text).keys() == samples(plain.text).keys()
        for accept in "text/plain", "application/openmetrics-text;version=1.0.0":
            small = s.ask(Accept=accept, Accept_Encoding="gzip")
            assert small.headers["Content-Encoding"] == "gzip"
            assert samples(small.text).keys() == samples(plain.text).keys()
        assert not s.ask(Accept_Encoding="gzip;q=0").headers["Content-Encoding"]
        head = s.ask(method="HEAD")
        assert head.status == 200 and not head.body and int(head.headers["Content-Length"]) > 500


def counters():
    total = 'tma_slots_total{metric="total",level="0",pmu="cpu"}'
    with Server() as s:
        s.ready()
        last = samples(s.ask().text)
        for _ in range(5):
            seconds = "tma_measured_seconds_total"
            wait_for("the next row",
                     lambda: samples(s.ask().text)[seconds] > last[seconds])
            now = samples(s.ask().text)
            assert now[total] > last[total]
            for name, value in last.items():
                assert "_total" not in name or now[name] >= value, (name, value, now[name])
            last = now
        level1 = [v for n, v in last.items() if n.startswith("tma_slots_total") and
                  'level="1"' in n]
        assert len(level1) == 4 and abs(sum(level1) - last[total]) < 0.02 * last[total]
        assert last['tma_http_requests_total{code="200"}'] > 5
        for code in 401, 404, 405, 429:
            assert last[f'tma_http_requests_total{{code="{code}"}}'] == 0


class Cgroups:
    """A tree of cgroups with CPU times. A procfs made for this lists the mount of the tree."""

    def __init__(self, at, mounted=True):
        self.at, self.proc = at + "/cg", at + "/proc"
        os.makedirs(self.at)
        os.makedirs(self.proc)
        with open(self.proc + "/mounts", "w", encoding="ascii") as f:
            f.write(f"cgroup2 {self.at} cgroup2 rw 0 0\n" if mounted else "")
        self.env = {"PROCFS_PATH": self.proc}

    def use(self, name, us):
        os.makedirs(f"{self.at}/{name}", exist_ok=True)
        with open(f"{self.at}/{name}/cpu.stat.new", "w", encoding="ascii") as f:
            f.write(f"usage_usec {us}\n")
        os.rename(f"{self.at}/{name}/cpu.stat.new", f"{self.at}/{name}/cpu.stat")


def slots_by_cgroup(s):
    found = re.findall(r'(?m)^tma_slots_total{metric="total",.*?(?:,cgroup="(.*)")?} (\d+)$',
                       s.ask().text)
    return {name: int(slots) for name, slots in found}


def top_cgroups():
    """On the simulated machine each cgroup has all slots, so nothing remains for "the rest"."""
    with tempfile.TemporaryDirectory() as at:
        cgroups = Cgroups(at)
        cgroups.use("web.slice/a", 1000)
        cgroups.use("pods/b,c+[d]\\x2d", 900)
        cgroups.use("idle", 0)
        with Server("--top-cgroups", "2", "--td-level", "2", "--error", "-M", "tma_info_thread_ipc",
                    env=cgroups.env) as s:
            s.ready()
            odd = r"pods/b,c+[d]\\x2d"
            first = wait_for("slots of both", lambda: len(got := slots_by_cgroup(s)) == 4 and got)
            assert set(first) == {"", "web.slice/a", odd, "other"}, first
            assert first["web.slice/a"] > first[""] / 4 > 0, first
            text = s.ask().text
            assert 'level="2",pmu="cpu",cgroup="web.slice/a"}' in text
            assert not re.search(r'tma_error_slots_total.*cgroup', text)
            assert len(re.findall(r'(?m)^tma_metric{', text)) == 1
            nr = text.count("\ntma_slots_total{")
            cgroups.use("idle", 1000000)
            after = wait_for("another one", lambda: "idle" in (got := slots_by_cgroup(s)) and got)
            assert len(after) == 4 and s.ask().text.count("\ntma_slots_total{") == nr, after
            left = "web.slice/a" if odd in after else odd
            cgroups.use(left, 100000000)
            after = wait_for("its return", lambda: left in (got := slots_by_cgroup(s)) and got)
            assert after[left] >= first[left] and after["other"] >= first["other"], after
            assert s.log().count("\n") == 2, s.log()
            for i in range(5000):
                os.makedirs(f"{cgroups.at}/many/{i}")
            wait_for("a word", lambda: "more than 5000 cgroups" in s.log())
        with Server("--top-cgroups", "2", env=Cgroups(at + "/none", False).env) as s:
            s.ready()
            assert slots_by_cgroup(s)[""]
            assert "cgroups are not mounted" in s.log()


def pages():
    with Server() as s:
        s.ready()
        assert "/metrics" in s.ask("/").text
        assert s.ask("/healthz").text == "ok\n"
        for path in ("/x", "/metrics/", "//metrics", "/metrics/..", "/../etc/passwd", "/%2e%2e/x",
                     "/Metrics", "/metrics%00", "/metric"):
            assert s.ask(path).status == 404, path
        for method in "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "X":
            answer = s.ask(method=method, body=b"a" * 100)
            assert answer.status == 405 and answer.headers["Allow"] == "GET, HEAD", method
        assert s.ask("/metrics?name[]=x").status == 200


def odd_requests():
    requests = [
        b"", b"\r\n", b"\0" * 100, b"GET\r\n\r\n", b"GET /metrics\r\n\r\n", b"\xff" * 5000,
        b"GET /metrics HTTP/9.9\r\n\r\n", b"GET " + b"/" * 20000 + b" HTTP/1.1\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\n" + b"A: b\r\n" * 10000 + b"\r\n",
        b"GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n" + b"a" * 100000,
        b"GET /metrics HTTP/1.1\r\nHost: a\r\nAuthorization: Basic " + b"A" * 6000 + b"\r\n\r\n",
        b"GET /metrics HTTP/1.1\r\nHost: a\r\nAccept: " + b";,q=" * 1000 + b"\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 50,
        b"CONNECT a:1 HTTP/1.1\r\n\r\n", b"GET http://a/metrics HTTP/1.1\r\nHost: a\r\n\r\n"]
    def harms(s, request):
        answer = s.send(request)
        assert not answer or answer.startswith(b"HTTP/1."), (request[:60], answer[:100])
        assert s.ask("/healthz").status == 200, request[:60]
    with Server() as s:
        s.ready()
        # Many clients leave their connections open, and the server waits for all of them at the
        # same time.
        with concurrent.futures.ThreadPoolExecutor(len(requests)) as pool:
            for done in [pool.submit(harms, s, request) for request in requests]:
                done.result()


def unix_socket():
    with tempfile.TemporaryDirectory() as at:
        listen, path = f"unix:{at}/sock", at + "/sock"
        with Server(listen=listen) as s:
            s.ready()
            assert "tma_slots_total" in s.ask().text
            assert os.stat(path).st_mode & 0o777 == 0o660
            with Server(listen=listen) as other:
                assert other.process.wait(WAIT_S) == 125
                assert "in use" in other.log()
            s.process.kill()
            s.process.wait()
            assert os.path.exists(path)
            with Server(listen=listen) as other:
                other.ready()
                assert "tma_slots_total" in other.ask().text
                assert other.end() == 0
                assert not os.path.exists(path)
        # If another server has replaced the file by its own, it is not removed.
        with Server(listen=listen) as s:
            s.waits()
            os.remove(path)
            with Server(listen=listen) as other:
                other.ready()
                assert s.end() == 0
                assert "tma_slots_total" in other.ask().text
        # If several servers find a stale socket at the same time, one of them replaces it and keeps
        # it.
        for _ in range(2):
            socket.socket(socket.AF_UNIX).bind(path)
            with contextlib.ExitStack() as stack:
                servers = [stack.enter_context(Server(listen=listen)) for _ in range(4)]
                for s in servers:
                    wait_for("its word", lambda s=s: s.log().count("\n"))
                    wait_for("its word", lambda s=s: "serving" in s.log() or "in use" in s.log())
                serving = [s for s in servers if "serving" in s.log()]
                assert len(serving) == 1, [s.log() for s in servers]
                for s in servers:
                    if s not in serving:
                        assert s.process.wait(WAIT_S) == 125
                serving[0].path = path
                assert serving[0].ask("/").status == 200


def warnings():
    with Server(listen="0.0.0.0:0") as s:
        s.waits()
        assert "anyone who can reach" in s.log()
    with Server(listen="127.0.0.1:0") as s:
        s.waits()
        assert "warning" not in s.log()
    with tempfile.TemporaryDirectory() as at:
        with Server("--web-config", write_config(at, FIRST), listen="0.0.0.0:0") as s:
            s.waits()
            assert "unencrypted" in s.log()
        with Server("--web-config", write_config(at)) as s:
            s.waits()
            assert "web.yml has no users: anyone" in s.log()


def wrong_options():
    for args, words in ((["--listen", "x"], "is not ADDRESS"), (["--listen", "1.2.3.4:70000"], "70000"),
                        (["--listen", "[::1:1"], "is not ADDRESS"), (["--listen", "unix:"], "path"),
                        (["--listen", "[::1]"], "is not ADDRESS"),
                        (["-I", "1"], "-I"), (["-I", "x"], "-I"), (["true"], "runs no command"),
                        (["--web-config", "/nowhere"], "/nowhere"), (["--nonsense"], "nonsense"),
                        (["--top-cgroups", "0"], "--top-cgroups"),
                        (["--top-cgroups", "101"], "--top-cgroups"),
                        (["--top-cgroups", "2", "-M", "ipc"], "--td-level"),
                        (["--listen", "unix:" + "a" * 200], "path")):
        run = subprocess.run([TMA, "serve", *args], capture_output=True, text=True, timeout=WAIT_S,
                             check=False)
        assert run.returncode == 129 and words in run.stderr, (args, run)


def ends():
    for signo in signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGALRM:
        with Server() as s:
            s.ready()
            pid = s.measuring()
            s.process.send_signal(signal.SIGUSR1)
            wait_for("a word", lambda: "SIGUSR1: the counts so far are those of /metrics" in s.log())
            assert s.end(signo) == 0, s.process.returncode
            assert not os.path.exists(f"/proc/{pid}"), "the measurement goes on"
    with Server() as s:
        s.ready()
        pid = s.measuring()
        s.process.kill()
        s.process.wait()
        wait_for("the end of the measurement", lambda: not os.path.exists(f"/proc/{pid}"))


def begins_anew():
    with Server() as s:
        s.ready()
        pid = s.measuring()
        os.kill(pid, signal.SIGKILL)
        wait_for("no text", lambda: s.ask().status == 503)
        assert s.ask("/healthz").status == 503
        wait_for("a row", lambda: s.ask("/healthz").status == 200)
        now = samples(s.ask().text)
        assert now["tma_restarts_total"] == 1 and now["tma_lost_seconds_total"] > 0.5, now
        assert s.measuring() not in (0, pid)
        assert "killed by signal 9" in s.log()


def killed_early():
    """The message names the signal, so that a person can find the reason, such as a lack of memory.
    """
    with Server(interval="20000") as s:
        os.kill(wait_for("the measurement", s.measuring), signal.SIGKILL)
        assert s.process.wait(WAIT_S) == 128 + signal.SIGKILL
        assert "killed by signal 9 (Killed) before its first row" in s.log(), s.log()


def comes_and_goes():
    """A CPU goes offline and comes back: the counters notice it, and sysfs shows it."""
    with tempfile.TemporaryDirectory() as at:
        cgroups = Cgroups(at)
        cgroups.use("a", 1000)
        with Server("--top-cgroups", "1",
                    env={"TMA_SIM_FAULT": "offline=3@1s-2s", **cgroups.env}) as s:
            s.ready()
            last = {}
            def is_back():
                nonlocal last
                answer = s.ask()
                now = samples(answer.text) if answer.status == 200 else last
                for name, value in last.items():
                    assert not name.startswith("tma_slots_total") or now[name] >= value, name
                last = now
                return "CPU 3 is back" in s.log()
            wait_for("a CPU that comes back", is_back)
            assert s.log().count("CPU 3 went offline") == 1, s.log()
            seconds = last["tma_measured_seconds_total"]
            wait_for("more rows", lambda: is_back() and last["tma_measured_seconds_total"] > seconds + 1)
            assert not last["tma_restarts_total"] and "cgroup=\"a\"" in s.ask().text
        with Server("--error", env={"TMPDIR": at}) as s:
            s.ready()
            online, = glob.glob(at + "/tma-sim.*/sys/devices/system/cpu/online")
            with open(online + ".new", "w", encoding="ascii") as f:
                f.write("0-6\n")
            os.rename(online + ".new", online)
            wait_for("another measurement", lambda: "\ntma_restarts_total 1\n" in s.ask().text)
            assert re.search(r"CPUs 0-6 are online, .* 0-7", s.log()), s.log()


def no_row():
    for args in ["-M", "no_such_metric"], ["--td-level", "9"]:
        with Server(*args) as s:
            assert s.process.wait(WAIT_S) in (125, 129)
            assert "no_such_metric" in s.log() or "level" in s.log(), s.log()


def never_read():
    """Counters that can be opened, but cannot be read or never run, are reported."""
    for fault in "read=EIO", "read=end", "count:cpu/event=0x0,umask=0x4/=never":
        with Server(env={"TMA_SIM_FAULT": fault}) as s:
            statuses = set()
            def over():
                if "serving" in s.log():
                    try:
                        statuses.add(s.waits().ask("/healthz").status)
                    except (OSError, http.client.HTTPException):
                        pass
                return s.process.poll() is not None
            wait_for("the end", over)
            assert s.process.returncode == 125, (fault, s.process.returncode, s.log())
            assert statuses <= {503}, (fault, statuses)


def named_cgroups():
    with tempfile.TemporaryDirectory() as at:
        cgroups = Cgroups(at)
        cgroups.use("a", 1000)
        with open(cgroups.at + "/file", "w", encoding="ascii"):
            pass
        with Server("--cgroups", "/a,later,file", env=cgroups.env) as s:
            s.ready()
            text = wait_for("a cgroup", lambda: 'cgroup="a"' in (t := s.ask().text) and t)
            assert 'cgroup="other"' in text and 'cgroup="later"' not in text
            assert re.search(r"--cgroups: 1 of 3 cgroups exist, and are counted with \d+ file "
                             "descriptors", s.log()), s.log()
            cgroups.use("later", 10)
            wait_for("the other cgroup", lambda: 'cgroup="later"' in s.ask().text)
        # In such short rows not all groups get a turn; the server does not end at once because of
        # this.
        with Server("-M", "TopdownL2", interval="10") as s:
            s.ready()
    for names, words in (("a,a/b", "counted twice"), ("a,,b", "is not the name of a cgroup"),
                         ("other", "is not the name"), ("a,a", "counted twice"),
                         ("a/,a/b/", "counted twice"), (".,a", "is not the name"),
                         ("a//b", "is not the name"), ("a/../b", "is not the name"),
                         (",".join(map(str, range(1001))), "more than 1000")):
        run = subprocess.run([TMA, "serve", "--cgroups", names], capture_output=True, text=True,
                             timeout=WAIT_S, check=False)
        assert run.returncode == 129 and words in run.stderr, (names, run)


def of_plain_events():
    """A virtual machine's tree uses slots, like the machine's own."""
    with Server("--td-level", "2", machine=["--machine", "sapphirerapids-guest", "serve"]) as s:
        text = s.ready().ask().text
        assert 'tma_slots_total{metric="total",level="0",pmu="cpu"}' in text, text
        assert 'tma_slots_total{metric="tma_memory_bound",' in text and "tma_cycles" not in text
        assert "formulas use plain events instead" in s.log(), s.log()


def comes_at_once():
    """Even if rows are long, the first scrape does not wait for a whole row."""
    with Server(interval="600000") as s:
        s.ready()
        assert s.ask().status == 200


def stops_being_fresh():
    with Server() as s:
        s.ready()
        os.kill(s.measuring(), signal.SIGSTOP)
        answer = wait_for("an old row", lambda: (a := s.ask()).status == 503 and a)
        assert "too old" in answer.text
        os.kill(s.measuring(), signal.SIGCONT)
        wait_for("a row", lambda: s.ask("/healthz").status == 200)
        assert "\ntma_restarts_total 0\n" in s.ask().text
        # If a process hangs for long, it is killed, with a message.
        os.kill(s.measuring(), signal.SIGSTOP)
        wait_for("another measurement", lambda: "\ntma_restarts_total 1\n" in s.ask().text)
        assert re.search(r"the measurement hangs: there was no row for \d+ s.*\n(.*\n)*.*"
                         "killed by signal 9", s.log()), s.log()


def credentials():
    with tempfile.TemporaryDirectory() as at:
        with Server("--web-config", write_config(at, FIRST)) as s:
            s.ready(user=FIRST[0])
            for path in "/", "/metrics", "/healthz", "/x":
                answer = s.ask(path)
                assert answer.status == 401 and "tma_" not in answer.text, path
                assert answer.headers["WWW-Authenticate"].startswith("Basic ")
            assert s.ask("/x", user=FIRST[0]).status == 404
            assert s.ask(user=FIRST[0]).status == 200
            assert s.ask(Authorization="Basic !").status == 401
            assert s.ask(Authorization="Bearer x").status == 401
            answers = {s.ask(user=f"prometheus:{i}").status for i in range(20)}
            assert answers == {401, 429}, answers
            assert s.ask(user="nobody:x").status == 429
            assert s.ask(user=FIRST[0]).status == 200, "who is known waits for nobody"
            # A new password is accepted, and the old password is no longer accepted.
            write_config(at, SECOND)
            s.process.send_signal(signal.SIGHUP)
            wait_for("the new users", lambda: s.ask(user=SECOND[0]).status == 200)
            assert s.ask(user=FIRST[0]).status == 401
            write_config(at, ("other", "no hash"))
            s.process.send_signal(signal.SIGHUP)
            wait_for("a word", lambda: "are unchanged" in s.log())
            assert s.ask(user=SECOND[0]).status == 200 and s.ask().status == 401
            # An empty file, which may just be being written, lets no client in.
            write_config(at)
            s.process.send_signal(signal.SIGHUP)
            wait_for("a word", lambda: "no longer has users" in s.log())
            assert s.ask(user=SECOND[0]).status == 200 and s.ask().status == 401


def addresses():
    """A client that guesses passwords uses up only its own attempts, also with IPv4 if the server
    listens at all addresses.
    """
    def ask(port, host, source, user):
        connection = http.client.HTTPConnection(host, port, WAIT_S, (source, 0))
        connection.request("GET", "/metrics", headers={
            "Authorization": "Basic " + base64.b64encode(user.encode()).decode()})
        return connection.getresponse().status
    with tempfile.TemporaryDirectory() as at:
        for listen, host in (":0", "127.0.0.1"), ("0.0.0.0:0", "127.0.0.1"):
            with Server("--web-config", write_config(at, FIRST), listen=listen) as s:
                s.waits()
                assert {ask(s.port, host, "127.0.0.2", f"x:{i}") for i in range(6)} == {401, 429}
                assert ask(s.port, host, "127.0.0.3", "x:y") == 401
                assert ask(s.port, host, "127.0.0.3", FIRST[0]) in (200, 503)
                # A known client does not help others to guess passwords. It never waits, and stays
                # known if the users are read again.
                assert ask(s.port, host, "127.0.0.2", FIRST[0]) == 429
                assert ask(s.port, host, "127.0.0.3", FIRST[0]) in (200, 503)
                s.process.send_signal(signal.SIGHUP)
                wait_for("a word", lambda s=s: "read again" in s.log())
                assert {ask(s.port, host, "127.0.0.3", f"x:{i}") for i in range(6)} >= {429}
                assert ask(s.port, host, "127.0.0.3", FIRST[0]) in (200, 503)


def certificate():
    with tempfile.TemporaryDirectory() as at:
        make_certificate(at, "first")
        with Server("--web-config", write_config(at, FIRST, tls=True)) as s:
            s.ready(user=FIRST[0])
            assert s.tls and "tma_slots_total" in s.ask(user=FIRST[0]).text
            assert s.ask().status == 401
            assert b"tma_" not in s.send(b"GET /metrics HTTP/1.0\r\n\r\n")
            shown = ssl.get_server_certificate((s.host, s.port))
            make_certificate(at, "second")
            s.process.send_signal(signal.SIGHUP)
            wait_for("the new certificate",
                     lambda: ssl.get_server_certificate((s.host, s.port)) != shown)
            shown = ssl.get_server_certificate((s.host, s.port))
            with open(at + "/key", "w", encoding="ascii") as f:
                f.write("no key")
            s.process.send_signal(signal.SIGHUP)
            wait_for("a word", lambda: "are unchanged" in s.log())
            assert ssl.get_server_certificate((s.host, s.port)) == shown
            write_config(at, FIRST)
            s.process.send_signal(signal.SIGHUP)
            wait_for("a word", lambda: "no longer has a certificate" in s.log())
            assert ssl.get_server_certificate((s.host, s.port)) == shown
            write_config(at, FIRST, tls=True)
        with Server("--web-config", at + "/web.yml") as s:
            assert s.process.wait(WAIT_S) == 129 and "there is no key in PEM" in s.log(), s.log()
        make_certificate(at, "third")
        with open(at + "/key", encoding="ascii") as f, open(at + "/cert", encoding="ascii") as g:
            key, cert = f.read(), g.read()
        os.mkdir(at + "/other")
        make_certificate(at + "/other", "other")
        with open(at + "/other/key", encoding="ascii") as f:
            others = f.read()
        encrypted = key.replace("PRIVATE", "ENCRYPTED PRIVATE")
        for cert_is, key_is, words in (
                ("", key, "there is no certificate in PEM"), (cert, "", "there is no key in PEM"),
                (key, cert, "there is no certificate in PEM"),
                (cert, others, "are not a certificate and its key"),
                (cert[:200], key, "are not a certificate and its key"),
                (cert, key[:100], "are not a certificate and its key"),
                (cert, encrypted, "the key is encrypted")):
            for name, text in ("cert", cert_is), ("key", key_is):
                with open(f"{at}/{name}", "w", encoding="ascii") as f:
                    f.write(text)
            # The TLS library keeps what it has read of a certificate, even if it then refuses it.
            with Server("--web-config", at + "/web.yml",
                        env={"ASAN_OPTIONS": "detect_leaks=0"}) as s:
                assert s.process.wait(WAIT_S) == 129 and words in s.log(), (words, s.log())
                assert "restarts" not in s.log(), s.log()


def memory_of(pid):
    """The contents of a process' writable memory."""
    got = []
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
                open(f"/proc/{pid}/mem", "rb") as memory:
            for line in maps:
                begin, end = (int(n, 16) for n in line.split()[0].split("-"))
                if " rw" in line:
                    with contextlib.suppress(OSError):
                        memory.seek(begin)
                        got.append(memory.read(end - begin))
    except PermissionError as why:
        raise Skip("the memory of another process cannot be read here") from why
    return b"".join(got)


def secrets():
    """The measuring process never has a password, or the key in the form of its file, even after
    several restarts.
    """
    with open(TMA, "rb") as f:
        if b"__asan_init" in f.read():
            raise Skip("a sanitizer keeps what was freed")
    with tempfile.TemporaryDirectory() as at:
        make_certificate(at, "first")
        with open(at + "/key", "rb") as f:
            key = f.read().splitlines()[1]
        with Server("--web-config", write_config(at, FIRST, tls=True)) as s:
            s.ready(user=FIRST[0])
            password = FIRST[0].split(":", 1)[1].encode()
            assert password in memory_of(s.process.pid) and key in memory_of(s.process.pid)
            for has_begun_anew in False, True:
                if has_begun_anew:
                    first = s.measuring()
                    os.kill(first, signal.SIGKILL)
                    wait_for("another measurement", lambda: s.measuring() not in (0, first))
                    wait_for("a row", lambda: s.ask("/healthz", user=FIRST[0]).status == 200)
                memory = memory_of(s.measuring())
                assert len(memory) > 100000 and password not in memory and key not in memory


def slow_clients():
    clients = []
    with Server() as s:
        s.ready()
        for i in range(200):
            client = socket.create_connection((s.host, s.port))
            client.sendall(b"GET /metrics HTTP/1.1\r\nX-" + b"a" * (i % 50))
            clients.append(client)
        times = []
        for _ in range(100):
            begin = time.monotonic()
            assert s.ask().status == 200
            times.append(time.monotonic() - begin)
        # If the server waited for a slow client, it would wait until that client is cut off.
        assert sorted(times)[len(times) // 2] < 5, times
        # Each slow client is cut off, even if it sends a byte now and then.
        def all_gone():
            for client in clients[:]:
                client.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    try:
                        client.send(b"a")
                        gone = client.recv(1000) == b""
                    except ConnectionError:
                        gone = True
                    if gone:
                        clients.remove(client)
            return not clients
        wait_for("the end of slow clients", all_gone)


def many_clients():
    with Server() as s:
        s.ready()
        clients = [socket.create_connection((s.host, s.port)) for _ in range(700)]
        for _ in range(20):
            assert s.ask().status == 200
        for client in clients:
            client.close()


def service():
    with tempfile.TemporaryDirectory() as at:
        told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        told.bind(at + "/notify")
        told.settimeout(WAIT_S)
        env = {"NOTIFY_SOCKET": at + "/notify", "WATCHDOG_USEC": "6000000"}
        with Server(env=env) as s:
            # A server that starts slowly counts as alive before it is ready.
            news = told.recv(1000)
            while news == b"WATCHDOG=1":
                news = told.recv(1000)
            assert b"READY=1" in news, news
            assert told.recv(1000) == b"WATCHDOG=1"
            begin = time.monotonic()
            assert told.recv(1000) == b"WATCHDOG=1"
            # The message comes after half of the time that the manager allows: a busy computer has
            # the other half.
            assert time.monotonic() - begin < 6, time.monotonic() - begin
            assert s.end() == 0
            news = [told.recv(1000)]
            while news[-1] != b"STOPPING=1":
                news.append(told.recv(1000))
            assert set(news) <= {b"WATCHDOG=1", b"STOPPING=1"}, news


def given_socket():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        os.dup2(listening.fileno(), 3, inheritable=True)
        script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"'
        with tempfile.TemporaryFile() as log:
            args = ["sh", "-c", script, TMA, *MACHINE, "-I", "50"]
            with subprocess.Popen(args, pass_fds=[3], stderr=log) as process:
                try:
                    connection = http.client.HTTPConnection(*listening.getsockname(),
                                                            timeout=WAIT_S)
                    connection.request("GET", "/")
                    assert connection.getresponse().status == 200
                finally:
                    process.terminate()
                assert process.wait(WAIT_S) == 0
            args = ["sh", "-c", script, TMA, *MACHINE, "--listen", "127.0.0.1:1"]
            run = subprocess.run(args, pass_fds=[3], capture_output=True, text=True, check=False)
            assert run.returncode == 129 and "passed" in run.stderr, run


def promtool():
    if not shutil.which("promtool"):
        raise Skip("needs promtool")
    shapes = (("sapphirerapids", "--td-level", "2", "--prom-ratios"), ("alderlake", "--td-level", "max"),
              ("skylakex", "--td-level", "4", "--error"), ("zen4", "--td-level", "2"),
              ("neoverse-n2", "--td-level", "1"), ("graniterapids", "-M", "TopdownL1,TopdownL2"),
              ("sierraforest", "--td-level", "3", "--error", "--prom-ratios"))
    for machine, *args in shapes:
        with Server(*args, machine=["--machine", machine, "serve"], interval="200") as s:
            s.ready()
            for accept in "text/plain", "application/openmetrics-text":
                text = s.ask(Accept=accept).text
                if accept == "text/plain":
                    run = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                                         capture_output=True, check=False)
                    assert run.returncode == 0 and not run.stderr, (machine, args, run)
                assert samples(text)


def with_password(manifest):
    """Return: the manifest, with lines that are commented out in place of the lines before them."""
    manifest = re.sub(r"(?m)^ +args: .*\n( +)# (args: )", r"\1\2", manifest)
    manifest = re.sub(r"(?m)^ +httpGet: .*\n( +)# (tcpSocket: )", r"\1\2", manifest)
    return re.sub(r"(?m)^( +)# (volume\w+: )", r"\1\2", manifest)


def container():
    """The container's options for a password work, with a file in the place where the secret is
    mounted."""
    try:
        import yaml
    except ImportError as why:
        raise Skip("python3 has no yaml") from why
    with open("scripts/container/daemonset.yaml", encoding="utf-8") as f:
        pod = yaml.safe_load(with_password(f.read()))["spec"]["template"]["spec"]
    container, = pod["containers"]
    config = container["args"][container["args"].index("--web-config") + 1]
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    secret, = (v for v in pod["volumes"] if mounts[v["name"]] == os.path.dirname(config))
    assert secret["secret"]["secretName"] == "tma-web", secret
    # The kubelet has no password.
    assert all("tcpSocket" in container[p] and "httpGet" not in container[p]
               for p in ("livenessProbe", "readinessProbe"))
    with tempfile.TemporaryDirectory() as at:
        args = [write_config(at, FIRST) if a == config else a for a in container["args"]]
        args[args.index("--listen") + 1] = ":0"
        args[args.index("-I") + 1] = "50"
        with Server(*args, listen=None) as s:
            s.waits()
            s.host = "127.0.0.1"
            s.ready(user=FIRST[0])
            assert s.ask().status == 401


def libraries():
    def loaded(*args):
        env = {**os.environ, "LD_DEBUG": "files"}
        run = subprocess.run([TMA, *args], env=env, capture_output=True, text=True, check=False)
        return run.stderr
    for args in ["stat", "-e", "task-clock", "true"], ["list", "task-clock"], ["--version"]:
        text = loaded(*args)
        for name in "libmicrohttpd", "libyaml", "libz.so", "libcrypt", "libgnutls":
            assert name not in text, (args, name)


def main():
    try:
        globals()[sys.argv[2]]()
    except Skip as why:
        print(why)
        sys.exit(77)


main()
