"""What the providers' own command lines read from shell texts: lines {id, text} in, {id, parsed} or {id, error} out.

The only argument is the program. Nothing is sent: each program stops after its own checks.
"""

import os
import re
import shlex
import sys

# First, because it keeps the output for the replies
from replies import reply

program = sys.argv[1]
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


parse = {"aws": aws, "az": az, "oci": oci, "linode-cli": linode_cli, "vastai": vastai}[program]()


def commands(text):
    """The words of each command, as a shell reads them."""
    for line in re.sub(r"\\\n", " ", text).split("\n"):
        words = shlex.split(line, comments=True)
        if words and words[0] == program:
            # Some programs look whether a file is there.
            yield [re.sub(r"^<[\w-]*file>$", "/dev/null", word) for word in words[1:]]


reply(lambda text: {"parsed": [parse(words) for words in commands(text)][0]})
