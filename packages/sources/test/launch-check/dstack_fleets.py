"""What dstack's own models and filters choose for fleets: a JSON line with the rows of the catalog in, then lines {id, text};
{id, chosen} or {id, error} out. Each backend's own code says what it supports, and which disks.
"""

import importlib
import json
import sys

# First, because it keeps the output for the replies
from replies import reply

import gpuhunt
import yaml
from dstack._internal.core.backends.base import offers as base
from dstack._internal.core.backends.configurators import _CONFIGURATOR_CLASSES
from dstack._internal.core.models.backends.base import BackendType
from dstack._internal.core.models.configurations import parse_apply_configuration
from dstack._internal.core.models.fleets import FleetSpec
from dstack._internal.core.models.instances import Disk, InstanceAvailability
from dstack._internal.core.models.profiles import Profile
from dstack._internal.core.models.resources import Memory, Range
from dstack._internal.server.services import backends as _  # First: the two import each other.
from dstack._internal.server.services.fleets import get_fleet_requirements
from dstack._internal.server.services.offers import _filter_offers

ANY_DISK = Range[Memory](min=Memory.parse("1GB"), max=None)
COMPUTES = {one.TYPE: one.BACKEND_CLASS.COMPUTE_CLASS for one in _CONFIGURATOR_CLASSES}


def is_supported(backend, item, offer):
    module = importlib.import_module(COMPUTES[backend].__module__)
    offer.instance.resources.disk = Disk(size_mib=round((item.disk_size or 0) * 1024))
    if backend.value == "gcp":
        return module._is_supported_gcp_instance(item.instance_name, item.gpu_name)
    rule = getattr(module, "_supported_instances", None)
    if rule is None:
        return True
    return rule(offer, ()) if rule.__code__.co_argcount == 2 else rule(offer)


def offers_of(row):
    backend = BackendType(row["backend"])
    item = gpuhunt.CatalogItem(**{**row["item"], "gpu_vendor": gpuhunt.AcceleratorVendor(row["item"]["gpu_vendor"])})
    offer = base.catalog_item_to_offer(backend, item, None, ANY_DISK)
    if offer is None or not is_supported(backend, item, offer):
        return []
    offer.instance.resources.disk = Disk(size_mib=round((item.disk_size or 0) * 1024))
    if backend.value == "gcp":
        offer.region = offer.region[:-2]
    return [(backend, offer.with_availability(availability=InstanceAvailability.AVAILABLE))]


def fit(backend, offer, requirements, nodes):
    compute = COMPUTES[backend]
    sizes = getattr(compute, "get_offer_disk_size_range", None)
    # Vast's disk is that of the requirements.
    known = ANY_DISK if backend.value == "vastai" else sizes and sizes(None, offer)
    fitted = base.OfferDiskFitter(requirements).fit(offer, known)
    return fitted and {
        "type": offer.instance.name,
        "backend": backend.value,
        "gpus": {offer.instance.resources.gpus[0].name: len(offer.instance.resources.gpus)},
        "regions": [offer.region],
        "nodes": nodes,
        "isSpot": offer.instance.resources.spot,
        "diskGb": fitted.instance.resources.disk.size_mib / 1024 or None,
        "isDiskFixed": known is None,
        "price": offer.price,
    }


rows = json.loads(sys.stdin.readline())
catalog = {}
for row in rows:
    for backend, offer in offers_of(row):
        catalog.setdefault(backend, []).append((backend, offer))


# What is wrong with ceilings, once for each list of backends.
problems = {}


def offers_for(spec):
    """What dstack's filters leave for a fleet."""
    profile, requirements = spec.merged_profile, get_fleet_requirements(spec)
    found = []
    for backend in profile.backends or catalog:
        offers = [one for _, one in catalog.get(backend, [])]
        offers = base.filter_offers_by_requirements(offers, requirements, ignore_disk=True)
        # Zones are known to the cloud alone.
        pairs = _filter_offers(((backend, one) for one in offers), profile.backends, profile.regions, None, profile.instance_types)
        fitted = (fit(backend, offer, requirements, spec.configuration.nodes.min) for backend, offer in pairs)
        found += [one for one in fitted if one]
    return found


def chosen(text):
    configuration = parse_apply_configuration(yaml.safe_load(text))
    spec = FleetSpec(configuration=configuration, profile=Profile(name=""))
    found = offers_for(spec)
    if not found:
        raise ValueError("no offers match")
    ceiling = configuration.max_price
    lowest = min(one["price"] for one in found)
    backends = str(configuration.backends)
    if ceiling is not None and lowest > 0.01 and backends not in problems:
        configuration.max_price = lowest - 0.01
        under = offers_for(FleetSpec(configuration=configuration, profile=Profile(name="")))
        problems[backends] = "it ignores a low ceiling" if under else None
    return [{**one, "ceiling": ceiling, "problem": problems.get(backends)} for one in found]


reply(lambda text: {"chosen": chosen(text)})
