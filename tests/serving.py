"""A real server in a process of its own, and a lean client."""

import http.client
import json
import subprocess
import sys
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
