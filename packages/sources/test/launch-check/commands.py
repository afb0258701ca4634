"""What the providers' own command lines read from shell texts: lines {id, text} in, {id, parsed} or {id, error} out.

The arguments are the program and, of one that isn't written in Python, its path. Nothing is sent to a provider: each program
stops after its own checks. scw sends its request to a server in this process.
"""

import http.server
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

# First, because it keeps the output for the replies
from replies import reply

program, *path = sys.argv[1:]
sys.argv = [program]


def aws():
    os.environ.update(AWS_ACCESS_KEY_ID="none", AWS_SECRET_ACCESS_KEY="none", AWS_EC2_METADATA_DISABLED="true")
    from awscli.clidriver import create_clidriver
    from botocore.awsrequest import AWSResponse

    driver = create_clidriver()
    sent = {}

    def stop(params, **_):
        # botocore has validated it.
        sent.update(params["body"], region=params["context"]["client_region"])
        return AWSResponse("", 200, {}, None), {}

    driver.session.register("before-call.ec2", stop)

    def parse(words):
        sent.clear()
        if driver.main(words) != 0:
            raise ValueError("aws refuses it")
        return {**sent}

    return parse


def az():
    from azure.cli.core import get_default_cli

    cli = get_default_cli()
    parsers = {}

    def parse(words):
        command = " ".join(words[:2])
        if command not in parsers:
            invocation = cli.invocation_cls(
                cli_ctx=cli, parser_cls=cli.parser_cls, commands_loader_cls=cli.commands_loader_cls, help_cls=cli.help_cls
            )
            cli.invocation = invocation
            invocation.data["command_string"] = command
            invocation.commands_loader.load_command_table(words)
            invocation.commands_loader.command_name = command
            invocation.commands_loader.load_arguments(command)
            invocation.parser.load_command_table(invocation.commands_loader)
            parsers[command] = invocation.parser
        return vars(parsers[command].parse_args(words))

    return parse


def oci():
    from oci_cli import dynamic_loader
    from oci_cli.cli import cli

    dynamic_loader.load_service("compute")

    def parse(words):
        context = cli.make_context("oci", [*words])
        while hasattr(context.command, "resolve_command"):
            context.obj = {**(context.obj or {}), "default_values_from_file": {}}
            name, command, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
            context = command.make_context(name, [*rest], parent=context)
        return {**context.find_root().params, **context.params}

    return parse


def linode_cli():
    os.environ["LINODE_CLI_TEST_MODE"] = "1"
    from linodecli import cli

    def parse(words):
        command, action, *rest = words
        return vars(cli.find_operation(command, action).parse_args(rest))

    return parse


def vastai():
    from vastai.cli.main import parser
    from vastai.cli.commands import instances  # noqa: F401  Its import registers its commands.

    return lambda words: vars(parser.parse_args(words))


def openstack():
    from openstackclient.compute.v2.server import AddServerVolume, CreateServer
    from openstackclient.volume.v3.volume import CreateVolume

    known = {"server create": CreateServer, "server add volume": AddServerVolume, "volume create": CreateVolume}
    parsers = {name: command(None, None).get_parser(name) for name, command in known.items()}

    def parse(words):
        option, region, *rest = words
        name = next(name for name in parsers if rest[: len(name.split())] == name.split())
        return {**vars(parsers[name].parse_args(rest[len(name.split()) :])), option: region}

    return parse


def scw():
    sent = {}
    some_id = "11111111-1111-4111-8111-111111111111"

    class Scaleway(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, status, body):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def do_GET(self):
            image = {"id": some_id, "arch": "x86_64", "compatible_commercial_types": [sent["type"]]}
            machine = {"arch": "x86_64", "volumes_constraint": {"min_size": 0, "max_size": 0}}
            is_page = self.path.endswith("page=1") or "page" not in self.path
            if "/products/servers" in self.path:
                self.answer(200, {"servers": {sent["type"]: machine} if is_page else {}})
            elif "/local-images" in self.path:
                self.answer(200, {"local_images": [image], "total_count": 1})
            else:
                self.answer(404, {})

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.endswith("/ips"):
                self.answer(200, {"ip": {"id": some_id, "address": "192.0.2.1"}})
            else:
                sent.update(body, zone=self.path.split("/")[4])
                self.answer(400, {"message": "It ends here."})

        do_DELETE = do_GET

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Scaleway)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    names = ("SCW_SECRET_KEY", "SCW_DEFAULT_PROJECT_ID", "SCW_DEFAULT_ORGANIZATION_ID")
    # scw sends nothing without a key of this form; the server here asks for none.
    access_key = "SCW" + 17 * "0"
    settings = {"SCW_ACCESS_KEY": access_key, "SCW_API_URL": f"http://127.0.0.1:{server.server_port}"}
    environment = {"HOME": tempfile.mkdtemp(), **settings, **dict.fromkeys(names, some_id)}

    def parse(words):
        sent.clear()
        sent["type"] = dict(word.split("=", 1) for word in words[3:])["type"]
        ended = subprocess.run([*path, *words], env=environment, capture_output=True, text=True, timeout=60)
        if "zone" not in sent:
            raise ValueError(ended.stderr[-300:])
        size = sent.get("volumes", {}).get("0", {}).get("size")
        return {**sent, "disk_gb": size and size // 10**9}

    return parse


def curl():
    def parse(words):
        options = dict(zip(words[::2], words[1::2]))
        address = words[2]
        at = words.index("-d") if "-d" in words else None
        return {"method": options["-X"], "url": address, "body": at and json.loads(words[at + 1])}

    return parse


PROGRAMS = {"aws": aws, "az": az, "oci": oci, "linode-cli": linode_cli, "vastai": vastai, "openstack": openstack}
parse = {**PROGRAMS, "scw": scw, "curl": curl}[program]()


def commands(text):
    """The words of each command, as a shell reads them."""
    lines = re.sub(r"\\\n", " ", text).split("\n")
    while lines:
        line = lines.pop(0)
        # A quoted word may have several lines.
        while line.count("'") % 2 == 1 and not line.startswith("#") and lines:
            line += "\n" + lines.pop(0)
        words = shlex.split(line, comments=True)
        if words and words[0] == program:
            # Some programs look whether a file is there.
            yield [re.sub(r"^<[\w-]*file>$", "/dev/null", word) for word in words[1:]]


def creation(words):
    """Of requests, that which creates the machine: others read a list, or make its volume."""
    return program != "curl" or ("-d" in words and re.search(r"/(filesystems|(attach-)?volumes)$", words[2]) is None)


reply(lambda text: {"parsed": [parse(words) for words in commands(text) if creation(words)][0]})
