#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Finds mistakes in .github: github.py FILE ...

A workflow: each job has a runner and steps. A step runs a script of this repository (or prepares
the container for it), or is an action of GitHub's own, with a fixed version. A form for issues: it
has what GitHub requires; each field has its own id and a label, and says whether it is required.
Prints "FILE: what" for each mistake; the exit status is 1 if there is any.
"""
import re
import sys

import yaml

ACTION = re.compile(r"actions/[a-z-]+@v\d+")
# A step runs this project's scripts, make, and commands that install git in a minimal container.
COMMAND = re.compile(r"(scripts/[a-z-]+|make|apt-get|git config|\$\{\{ matrix\.run \}\})(\s|$)")
# If the name of a tag or branch is put into a command, the shell would run it; the value of a
# variable is not run.
EXPRESSION = re.compile(r"\$\{\{(?! matrix\.[a-z]+ \}\})")
FIELDS = ("checkboxes", "dropdown", "input", "textarea")


def part(data, key):
    """A mapping in a mapping. YAML reads one without lines as null."""
    return data.get(key) or {}


def step_mistakes(step):
    if ("uses" in step) == ("run" in step):
        yield "a step has either uses or run"
    elif "uses" in step:
        if not ACTION.fullmatch(step["uses"]):
            yield f"{step['uses']} is not an action of GitHub's own with its version"
    else:
        for command in step["run"].split("&&"):
            if not COMMAND.match(command.strip()):
                yield f"'{command.strip()}' is not a script of this repository"
        if EXPRESSION.search(step["run"]):
            yield f"'{step['run']}' has an expression that is not of the matrix"


def workflow_mistakes(data):
    # YAML 1.1 reads the key "on" as true.
    for key in ("name", True, "permissions", "jobs"):
        if key not in data:
            yield f"there is no {'on' if key is True else key}"
    if data.get("permissions") != {"contents": "read"}:
        yield "permissions of all jobs are more than reading"
    for name, job in part(data, "jobs").items():
        for key in ("runs-on", "steps"):
            if key not in job:
                yield f"job {name} has no {key}"
        for need in [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", []):
            if need not in data["jobs"]:
                yield f"job {name} needs {need}, which is not a job"
        rows = part(part(job, "strategy"), "matrix").get("include", [])
        steps = [{"run": row["run"]} for row in rows if "run" in row] + (job.get("steps") or [])
        for step in steps:
            yield from (f"job {name}: {what}" for what in step_mistakes(step))


def form_mistakes(data):
    for key in ("name", "description", "body"):
        if not data.get(key):
            yield f"there is no {key}"
    seen = set()
    for field in data.get("body") or []:
        kind, attributes = field.get("type"), part(field, "attributes")
        if kind == "markdown":
            if not attributes.get("value"):
                yield "a text is empty"
            continue
        if kind not in FIELDS:
            yield f"'{kind}' is not a type of fields"
            continue
        name = field.get("id", "")
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name) or name in seen:
            yield f"the id '{name}' is missing, there twice, or has odd characters"
        seen.add(name)
        if not attributes.get("label"):
            yield f"{name} has no label"
        if not isinstance(part(field, "validations").get("required"), bool):
            yield f"{name} does not say whether it is required"
    if not seen:
        yield "there is no field"


def config_mistakes(data):
    if not isinstance(data.get("blank_issues_enabled"), bool):
        yield "blank_issues_enabled is neither true nor false"
    for link in data.get("contact_links") or []:
        if set(link) != {"name", "url", "about"} or not link["url"].startswith("https://"):
            yield "a link needs name, url and about, and begins with https://"


def mistakes(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = yaml.safe_load(file)
    except yaml.YAMLError as error:
        return [f"is not YAML: {error}"]
    if not isinstance(data, dict):
        return ["is not a mapping"]
    check = (workflow_mistakes if "/workflows/" in path else
             config_mistakes if path.endswith("/config.yml") else form_mistakes)
    return list(check(data))


def main():
    found = [f"{path}: {what}" for path in sys.argv[1:] for what in mistakes(path)]
    print("".join(line + "\n" for line in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
