"""Writes the dashboards, or checks that they are what would be written."""
import json
import pathlib
import sys

import compare
import run
import soak


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("usage: Scripts/dashboards [--check]")
    folder = pathlib.Path(__file__).resolve().parent.parent
    stale = []
    for module in (run, soak, compare):
        board = module.build()
        path = folder / f"{board['uid']}.json"
        text = json.dumps(board, indent=2, ensure_ascii=False) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not arguments:
                path.write_text(text, encoding="utf-8")
    if arguments and stale:
        sys.exit(f"dashboards: not what Dashboards/source makes, run Scripts/dashboards: {' '.join(stale)}")


main(sys.argv[1:])
