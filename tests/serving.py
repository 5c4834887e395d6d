"""A real server in a process of its own, and a lean client."""

import http.client
import json
import socket
import subprocess
import sys
import threading
import time


class Server:
    """A server in a process of its own, and a lean client."""

    def __init__(self, *words, enter=True, program=()):
        program = program or [sys.executable, "-m", "interagree"]
        self.process = subprocess.Popen(
            [*map(str, program), "serve", *map(str, words), "--no-browser"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            self.address = self.process.stdout.readline().strip()
            assert self.address, self.process.stderr.read()
            self.host, _, self.enter = self.address.removeprefix("http://").partition("/")
            if enter:
                self.let_in()
        except BaseException:
            self.process.kill()
            self.process.communicate()
            raise

    def let_in(self):
        line = self.connect()
        line.request("GET", f"/{self.enter}")
        answer = line.getresponse()
        answer.read()
        line.close()
        self.headers = {
            "cookie": answer.getheader("set-cookie").partition(";")[0],
            "x-interagree": answer.getheader("location").partition("#key=")[2],
            "origin": f"http://{self.host}",
            "content-type": "application/json",
        }
        while self.get("/state.json")["state"] == "reading":
            time.sleep(0.05)

    def come(self, name, password):
        """The headers of somebody who came in by name."""
        line = self.connect()
        headers = {"origin": f"http://{self.host}", "content-type": "application/json"}
        line.request("POST", "/enter.json", body=json.dumps({"name": name, "password": password}), headers=headers)
        answer = line.getresponse()
        content = json.loads(answer.read())
        assert answer.status == 200, content
        line.close()
        cookie = answer.getheader("set-cookie").partition(";")[0]
        return headers | {"cookie": cookie, "x-interagree": content["key"]}

    def connect(self):
        return http.client.HTTPConnection(self.host, timeout=20)

    def get(self, path):
        line = self.connect()
        line.request("GET", path, headers=self.headers)
        content = json.loads(line.getresponse().read())
        line.close()
        return content

    def post(self, event):
        line = self.connect()
        line.request("POST", "/decide.json", body=json.dumps(event), headers=self.headers)
        answer = line.getresponse()
        content = answer.status, json.loads(answer.read())
        line.close()
        return content

    def end(self, number):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


class Listener:
    """Hears the events of a server, in a thread of its own."""

    def __init__(self, server, last=None, headers=None, at=""):
        self.heard, self.id = [], last
        self.line = http.client.HTTPConnection(server.host, timeout=30)
        headers = headers or server.headers
        self.line.request("GET", f"/events{at}", headers=headers if last is None else headers | {"last-event-id": last})
        self.answer = self.line.getresponse()
        assert (self.answer.status, self.answer.getheader("content-type")) == (200, "text/event-stream; charset=utf-8")
        self.here = threading.Event()
        self.thread = threading.Thread(target=self.hear, daemon=True)
        self.thread.start()
        assert self.here.wait(20)

    def hear(self):
        fields = {}
        try:
            for line in self.answer:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name:
                    fields[name] = value
                elif fields:
                    self.id = fields.get("id", self.id)
                    self.heard.append((fields.get("event"), json.loads(fields["data"])))
                    self.here.set()
                    fields = {}
        except (OSError, http.client.HTTPException):
            pass  # it was ended

    def end(self):
        if self.thread.is_alive():
            self.line.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(timeout=20)
        self.line.close()

    def seqs(self):
        return [data["seq"] for event, data in self.heard if event == "decision"]


def until(condition):
    """Wait for something that another process does."""
    end = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen within a minute"
        time.sleep(0.05)
    return found
