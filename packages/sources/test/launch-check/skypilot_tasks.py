"""What SkyPilot's own parser and resolver make of tasks: JSON lines {id, text} in, {id, chosen} or {id, error} out.

HOME has the catalogs, so nothing is asked of the network. That of RunPod is made here, by SkyPilot's own code, from RunPod's
response with its GPU types, whose path is the only argument.
"""

import functools
import json
import os
import pathlib
import sys
import types

# First, because it keeps the output for the replies
from replies import reply

import sky
import yaml
from sky.utils import resources_utils

# What is wrong with ceilings, of each cloud, GPU and terms: once for all of its places.
asked = {}


def write_runpod(path):
    """The catalog that SkyPilot's fetcher writes for a response of RunPod's API."""
    with open(path, encoding="utf-8") as file:
        answer = {one["id"]: one for one in json.load(file)["data"]["gpuTypes"]}
    # The fetcher's client of RunPod isn't installed, and would ask RunPod.
    sys.modules["runpod"] = types.SimpleNamespace(get_gpus=lambda: [*answer.values()])
    sys.modules["runpod.api"] = types.SimpleNamespace(graphql=None)
    os.environ["RUNPOD_API_KEY"] = "none"
    from sky.catalog.data_fetchers import fetch_runpod

    # What the recorded query didn't ask for. RunPod's spot price is that on demand, as in SkyPilot's public catalog.
    fetch_runpod.get_gpu_details = lambda id, gpu_count=1: {
        "manufacturer": "Nvidia",
        "secureSpotPrice": answer[id]["securePrice"],
        **answer[id],
        "lowestPrice": {"minVcpu": 8, "minMemory": 32, **answer[id]["lowestPrice"]},
    }
    target = pathlib.Path.home() / ".sky/catalogs/v8/runpod"
    rows = fetch_runpod.fetch_runpod_catalog(no_gpu=False, no_cpu=True)
    known = {row["InstanceType"] for row in rows}
    earlier = fetch_runpod.pd.read_csv(target / "vms.csv").to_dict("records")
    zones = fetch_runpod.REGION_ZONES
    rows += [
        {**row, "AvailabilityZone": zones[row["Region"]][0]}
        for row in earlier
        if row["InstanceType"] not in known and row["Region"] in zones
    ]
    fetch_runpod.save_catalog(rows, str(target / "vms.csv"))


def offered(resources):
    """What SkyPilot can launch for resources."""
    feasible = resources.cloud.get_feasible_launchable_resources(resources, 1)
    return [
        one
        for machine in feasible.resources_list
        for one in resources_utils.make_launchables_for_valid_region_zones(machine)
    ], feasible


def ceiling_problem(resources, accelerators):
    """What is wrong with a ceiling where SkyPilot chooses the instance type itself; None if nothing is."""
    if str(resources.cloud) == "GCP" or resources.use_spot:
        # GPUs of Google have prices of their own, and SkyPilot compares only that of the machine. Spot prices differ by zone,
        # and it takes zones above the limit, too.
        return None
    ceiling = resources.max_hourly_cost
    free = resources.copy(instance_type=None, accelerators=accelerators)
    key = (str(free.cloud), str(accelerators))
    if key not in asked:
        prices = [one.get_cost(3600) for one in offered(free)[0]]
        lowest = min((one.get_cost(3600) for one in offered(free.copy(max_hourly_cost=None))[0]), default=0)
        under = lowest > 0.01 and offered(free.copy(max_hourly_cost=lowest - 0.01))[0]
        above = [price for price in prices if price > ceiling]
        asked[key] = "it takes one above its ceiling" if above else "it ignores a low ceiling" if under else None
    return asked[key]


@functools.cache
def chosen(text):
    """What SkyPilot chooses; zones of a region often have one text."""
    task = sky.Task.from_yaml_config(yaml.safe_load(text))
    found = []
    for resources in task.resources if isinstance(task.resources, list) else [*task.resources]:
        launchable, feasible = offered(resources)
        if not launchable:
            raise ValueError(f"nothing to launch: {feasible.hint or resources}; near: {feasible.fuzzy_candidate_list}")
        # As the optimizer does: the cheapest.
        best = min(launchable, key=lambda one: one.get_cost(3600))
        found.append(
            {
                "type": best.instance_type,
                "gpus": best.accelerators or {},
                "regions": sorted({one.region for one in launchable}),
                "zone": resources.zone,
                "isSpot": best.use_spot,
                "diskGb": resources.disk_size,
                "price": best.get_cost(3600),
                "nodes": task.num_nodes,
                "ceiling": resources.max_hourly_cost,
                "problem": resources.max_hourly_cost and best.accelerators and ceiling_problem(resources, best.accelerators),
            }
        )
    return found


write_runpod(sys.argv[1])
reply(lambda text: {"chosen": chosen(text)})
