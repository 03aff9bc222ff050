# SPDX-License-Identifier: GPL-2.0-only
"""Browsers without a window and without a network, driven by one protocol, W3C's WebDriver.

For Chromium there is chromedriver, and Debian's python3-selenium talks to it. Debian has no
geckodriver, so Firefox gets the same commands in the form of its own socket, Marionette.
"""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

NOWHERE = "127.0.0.1:9"  # a proxy that does not answer: nothing is loaded from the network


class Absent(Exception):
    """A browser, or the program that drives it, is not installed."""


class Chromium:
    """Chromium by chromedriver."""

    name = "chromium"

    def __init__(self, width=1200, height=1000):
        programs = [shutil.which(program) for program in ("chromium", "chromedriver")]
        if not all(programs):
            raise Absent("there is no chromium with chromedriver")
        try:
            from selenium import webdriver
            from selenium.webdriver.chrome.service import Service
        except ImportError as error:
            raise Absent("there is no python3-selenium") from error
        options = webdriver.ChromeOptions()
        options.binary_location = programs[0]
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--disable-background-networking", f"--proxy-server=http://{NOWHERE}",
                         f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(programs[1]), options=options)
        self.driver.set_script_timeout(60)
        self.resize(width, height)

    def cdp(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def open(self, path):
        self.driver.get("file://" + os.path.abspath(path))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script):
        return self.driver.execute_async_script(script)

    def act(self, actions):
        self.driver.execute("actions", {"actions": actions})

    def resize(self, width, height=1000):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme, media=""):
        self.cdp("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def messages(self):
        """Return: the console's messages since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses of everything that was requested since the last call."""
        entries = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [entry["params"]["request"]["url"] for entry in entries
                if entry["method"] == "Network.requestWillBeSent"]

    def picture(self, path):
        shot = self.cdp("Page.captureScreenshot", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def close(self):
        self.driver.quit()


class Firefox:
    """Firefox, driven by Marionette: a message is [0, number, command, parameters] after its
    length."""

    name = "firefox"

    def __init__(self, width=1200, height=1000):
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if not program:
            raise Absent("there is no firefox-esr")
        self.home = tempfile.mkdtemp()
        self.number, self.buffer, self.socket = 0, b"", None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        host, proxy = NOWHERE.split(":")
        preferences = {
            "marionette.port": port, "network.proxy.type": 1, "network.proxy.http": host,
            "network.proxy.http_port": int(proxy), "network.proxy.ssl": host,
            "network.proxy.ssl_port": int(proxy), "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False,
        }
        with open(os.path.join(self.home, "user.js"), "w", encoding="utf-8") as file:
            for name, value in preferences.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        self.child = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.home, "--marionette",
             "--remote-allow-system-access", f"--width={width}", f"--height={height}"],
            env=dict(os.environ, HOME=self.home, MOZ_HEADLESS_WIDTH=str(width),
                     MOZ_HEADLESS_HEIGHT=str(height)),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            self.connect(port)
            self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}})
            self.send("WebDriver:SetTimeouts", {"script": 60000, "pageLoad": 120000})
            self.resize(width, height)
        except BaseException:
            self.close()
            raise

    def connect(self, port):
        for _ in range(600):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise Absent("firefox does not listen")
        self.receive()

    def receive(self):
        while b":" not in self.buffer:
            self.buffer += self.more()
        length, self.buffer = self.buffer.split(b":", 1)
        while len(self.buffer) < int(length):
            self.buffer += self.more()
        text, self.buffer = self.buffer[:int(length)], self.buffer[int(length):]
        return json.loads(text)

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise OSError("firefox has closed the connection")
        return data

    def send(self, command, parameters=None):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters or {}]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error.get('message')}")
        return result.get("value") if isinstance(result, dict) else result

    def open(self, path):
        self.send("WebDriver:Navigate", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        return self.send("WebDriver:ExecuteScript",
                         {"script": script, "args": list(arguments), "sandbox": None})

    def wait(self, script):
        return self.send("WebDriver:ExecuteAsyncScript", {"script": script, "args": [], "sandbox": None})

    def act(self, actions):
        self.send("WebDriver:PerformActions", {"actions": actions})

    def resize(self, width, height=1000):
        self.send("WebDriver:SetWindowRect", {"width": width, "height": height})

    def within(self, script):
        """Runs a script with the browser's own rights."""
        self.send("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.send("WebDriver:ExecuteScript", {"script": script, "args": []})
        finally:
            self.send("Marionette:SetContext", {"value": "content"})

    def prefer(self, scheme, media=""):
        del media
        dark = 0 if scheme == "dark" else 1
        name = "layout.css.prefers-color-scheme.content-override"
        self.within(f"Services.prefs.setIntPref('{name}', {dark});")

    def messages(self):
        """Return: the console messages of pages since the last call."""
        said = self.within("""
            const said = Services.console.getMessageArray()
                .filter(m => m instanceof Ci.nsIScriptError && (m.sourceName.startsWith("file:") || m.category.includes("content")))
                .map(m => m.errorMessage);
            Services.console.reset();
            return said;""")
        return said

    def requests(self):
        return self.run("return performance.getEntriesByType('resource').map(e => e.name)")

    def picture(self, path):
        shot = self.send("WebDriver:TakeScreenshot", {"full": True})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))

    def close(self):
        """Ends the processes that were started here."""
        if self.socket:
            self.socket.close()
        try:
            os.killpg(self.child.pid, signal.SIGTERM)
            self.child.wait(20)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self.child.kill()
            self.child.wait()
        shutil.rmtree(self.home, ignore_errors=True)


BROWSERS = {browser.name: browser for browser in (Chromium, Firefox)}
