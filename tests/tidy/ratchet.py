# SPDX-License-Identifier: BSD-3-Clause
"""The ratchet: known offenders, which may shrink but never grow."""

import json
import tomllib

HEAD = """# SPDX-License-Identifier: BSD-3-Clause
# Offenders known to tests/tidy, with how bad each is. They may shrink, never grow, and no line may
# be added: `./dev tidy --update` only lowers and removes.
"""


def load(path):
    return tomllib.loads(path.read_text()) if path.exists() else {}


def judge(findings, known):
    """(findings that fail, entries that the tree no longer needs or that can be lowered)."""
    failing, worst = [], {}
    for finding in findings:
        if finding.key:
            worst[finding.key] = max(worst.get(finding.key, finding.value), finding.value)
        if not finding.key or finding.key not in known or finding.value > known[finding.key]:
            failing.append(finding)
    slack = {key: worst.get(key) for key, value in known.items()
             if key not in worst or worst[key] < value}
    return failing, slack


def lowered(known, slack):
    """The ratchet after what shrank is taken over."""
    result = {key: slack.get(key, value) for key, value in known.items()}
    return {key: value for key, value in result.items() if value is not None}


def write(path, known):
    rows = [f"{json.dumps(key)} = {value!r}\n" for key, value in sorted(known.items())]
    path.write_text(HEAD + "".join(rows))
