# SPDX-License-Identifier: GPL-2.0-only
"""The metrics in the vendors' JSON: folders of the kernel's tools/perf/pmu-events/arch."""

import collections
import json
import os

# Units that are already the name of a PMU. For any other, the name is "uncore_" and the unit in
# lower case.
OWN_NAMES = ('cpu_core', 'cpu_atom', 'cpu_lowpower', 'imx8_ddr', 'imx9_ddr', 'arm_cmn',
             'hisi_sicl,cpa', 'ali_drw', 'smmuv3_pmcg', 'hisi_sccl,ddrc', 'hisi_sccl,hha',
             'hisi_sccl,l3c')

Metric = collections.namedtuple('Metric', 'name pmu expression threshold')


def cpuid_matches(cpuid, pattern):
    """On arm64: the same part, and the same version (variant, then revision) or a later one."""
    if not (pattern.startswith('0x') and cpuid.startswith('0x')):
        return cpuid == pattern
    wanted, found = int(pattern, 16), int(cpuid, 16)
    versions = [(midr >> 20 & 0xf, midr & 0xf) for midr in (wanted, found)]
    return wanted & ~0xf0000f == found & ~0xf0000f and versions[1] >= versions[0]


def pmu_of(unit):
    if unit is None:
        return 'default_core'
    return unit if unit in OWN_NAMES else 'uncore_' + unit.lower()


def elements(path):
    """The events and metrics of a file. Files that hold an object, with groups, have none."""
    with open(path, encoding='utf-8') as file:
        content = json.load(file)
    return content if isinstance(content, list) else []


def json_files(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if name.endswith('.json') and os.path.isfile(os.path.join(folder, name)))


def standard_events(arch):
    """The elements that ArchStdEvent can refer to, by their names in lower case."""
    found = {}
    for path in json_files(arch):
        for element in elements(path):
            name = element.get('EventName') or element.get('MetricName')
            if name:
                found[name.lower()] = element
    return found


def metric_of(element, standard):
    base = standard.get(element.get('ArchStdEvent', '').lower(), {})
    element = {**base, **element}
    if 'MetricExpr' not in element or 'MetricName' not in element:
        return None
    return Metric(element['MetricName'], pmu_of(element.get('Unit')), element['MetricExpr'],
                  element.get('MetricThreshold'))


def models_of(arch):
    """The metrics of each model of an architecture, by the model's folder."""
    standard, found = standard_events(arch), {}
    for folder, _, names in sorted(os.walk(arch)):
        if folder == arch or not any(name.endswith('.json') for name in names):
            continue
        metrics = [metric_of(element, standard)
                   for path in json_files(folder) for element in elements(path)]
        found[os.path.relpath(folder, arch)] = [metric for metric in metrics if metric]
    return found


def laid_over(lower, upper):
    """The metrics of two folders for one model: those of the upper folder hide others of the same
    name."""
    hidden = {(metric.pmu, metric.name.lower()) for metric in upper}
    return [metric for metric in lower if (metric.pmu, metric.name.lower()) not in hidden] + upper


def built_in(archs):
    """The metrics of each model in the folders of some architectures; later folders hide earlier
    ones."""
    found = {}
    for arch in archs:
        for model, metrics in models_of(arch).items():
            found[model] = laid_over(found.get(model, []), metrics)
    return found


def loaded(folders):
    """Return: the metrics of each model in some folders, by the path of the model. The tables of a
    system's other units can be read only together with those of its cores.
    """
    return {os.path.join(folder, model): metrics
            for folder in folders for model, metrics in models_of(folder).items()
            if os.path.basename(model) != 'sys'}
