"""`interagree completion` (Other, 54)."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from interagree.cli.options import define

SHELL = click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))


@define("completion", 'click.shell_completion.get_completion_class("bash")', SHELL)
def command(shell: str) -> None:
    """Print the script that makes a shell complete commands.

    \b
    bash:  eval "$(interagree completion bash)"      in ~/.bashrc
    zsh:   eval "$(interagree completion zsh)"       in ~/.zshrc
    fish:  interagree completion fish | source       in ~/.config/fish/config.fish
    """  # noqa: D301 -- click reads \b as a sign to leave the lines alone
    from interagree.cli import main

    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"this version of click cannot complete {shell}")
    script = completion(main, {}, "interagree", "_INTERAGREE_COMPLETE")
    click.echo(script.source_template % script.source_vars())
