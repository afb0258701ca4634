import { findGpuModel, providerKey } from "@gpu-offers/domain";
import type { OfferFrom } from "./launched-texts.ts";

// The catalog that dstack is given: a row for each offer, named as gpuhunt's readers name the rows of that provider.

/** dstack's backends by our keys of providers. */
export const BACKENDS: ReadonlyMap<string, string> = new Map(
  "aws azure cloudrift crusoe do:digitalocean gcp hotaisle jarvislabs lambda nebius oci runpod seeweb vast:vastai verda vultr"
    .split(" ")
    .map((pair) => pair.split(":"))
    .map(([key = "", backend = key]) => [key, backend]),
);

/** gpuhunt's name of a GPU: `H100`, `RTX4090`. */
export const dstackGpu = ({ gpu }: OfferFrom["offer"]): string =>
  gpu.name.replace(/ (?:SXM|PCIe|NVL|OAM|\d+ ?GB).*$/, "").replaceAll(" ", "");

/** gpuhunt's name of a machine (`instance_name` in gpuhunt/providers); undefined if it isn't known. */
export function dstackName({ offer, listing }: Pick<OfferFrom, "offer" | "listing">): string | undefined {
  const { instanceType, providerOfferId, toolNames } = listing;
  switch (providerKey(offer.provider.name)) {
    case "vast":
      return providerOfferId ?? undefined;
    case "jarvislabs":
      return `${dstackGpu(offer)}-${offer.gpuCount}x`;
    case "hotaisle":
      return `${offer.deploymentType === "bare-metal" ? "bm" : "vm"}-${dstackGpu(offer).toLowerCase()}-${offer.gpuCount}`;
    case "nebius":
      return (instanceType ?? toolNames.sky)?.replace(/^(gpu-[\w-]+)[ _](\d+gpu.*)$/, "$1 $2");
    default:
      return instanceType ?? undefined;
  }
}

/** The region of a row, and of Google's the zone. */
export function dstackPlace({ offer }: Pick<OfferFrom, "offer">): string {
  const [region = ""] = offer.region.split("/");
  const backend = providerKey(offer.provider.name);
  if (backend === "runpod") {
    return offer.region.split("/").at(-1) ?? region;
  }
  return backend === "gcp" ? region.replace(/(\d)(?:-[a-z])?$/, "$1") : region;
}

/** The rows of all offers. */
export function dstackRows(offers: readonly OfferFrom[]): unknown[] {
  const rows = new Map<string, unknown>();
  for (const one of offers) {
    const { offer, listing } = one;
    const backend = BACKENDS.get(providerKey(offer.provider.name));
    const name = dstackName(one);
    if (backend === undefined || name === undefined) {
      continue;
    }
    for (const spot of listing.spot === null ? [false] : [false, true]) {
      const region = dstackPlace(one);
      const item = {
        provider: backend === "lambda" ? "lambdalabs" : backend,
        instance_name: name,
        location: backend === "gcp" ? `${region}-a` : region,
        price: (spot ? listing.spot?.priceHourly : undefined) ?? offer.priceHourly,
        cpu: offer.specs.vcpu || 64,
        memory: offer.specs.ram || 512,
        gpu_count: offer.gpuCount,
        gpu_vendor: findGpuModel(offer.gpu.slug)?.vendor.toLowerCase() ?? "nvidia",
        gpu_name: dstackGpu(offer),
        gpu_memory: offer.gpu.vramGB,
        spot,
        disk_size: listing.storage?.includedGb || offer.specs.disk || null,
      };
      rows.set([offer.id, one.from, spot].join(), { backend, item });
    }
  }
  return [...rows.values()];
}
