import { DEPLOYMENT_TYPE_OF } from "../source-item.js";
import { findGpuModel } from "@gpu-offers/domain";
import { chooseGpu } from "../choose-gpu.js";
import type { PriceOptions } from "../currencies.js";
import type { GpuAliases } from "../gpu-alias.js";
import { invalidOffer, type KnownGpus, type Machine } from "../machine.js";
import type { StatedDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { regionInCountry } from "../region/country.js";
import { showValue } from "../shown-value.js";
import type { NativeOffer, NativeProvider, NativeStorage } from "./native-schema.js";
import type { NativeHeader } from "./write-native.js";

/** Options of a reader of a native catalog. */
export interface NativeOptions extends PriceOptions {
  /** Called with the catalog's metadata, before the first item. */
  onHeader?: ((header: NativeHeader) => void) | undefined;
  /** GPU names that the operator defined. */
  gpuAliases?: GpuAliases | undefined;
}

/** The machine of a native offer. */
export function nativeMachine(
  row: NativeOffer,
  provider: NativeProvider,
  { gpuAliases, currency }: Pick<NativeOptions, "gpuAliases" | "currency">,
): Machine | Rejection {
  const gpu = gpuOf(row, provider.name, gpuAliases);
  if (gpu instanceof Rejection) {
    return gpu;
  }
  const place = placeOf(row);
  if (place instanceof Rejection) {
    return place;
  }
  const disk = diskOf(row, provider);
  if (disk instanceof Rejection) {
    return disk;
  }
  const { region, isAvailable, costDataComplete, interconnect, specs, listing = {} } = row;
  return {
    provider: provider.name,
    identity: row.id === undefined ? { name: row.instanceType ?? "" } : { id: row.id },
    gpu,
    region,
    place,
    price: { amount: row.priceHourly, currency },
    pricePerGpu: row.pricePerGpu,
    isAvailable,
    vcpu: specs.vcpu,
    ramGb: specs.ram,
    disk,
    costDataComplete,
    deploymentType: row.deploymentType ?? DEPLOYMENT_TYPE_OF[provider.type],
    interconnect,
    listing: provider.sample === undefined ? listing : { ...listing, sample: true },
  };
}

/** Facts of a GPU given by name come from the table of models; an object states its own. */
function gpuOf(row: NativeOffer, provider: string, aliases: GpuAliases | undefined): KnownGpus | Rejection {
  const { gpu, gpuCount: count, nvlinkEnabled } = row;
  if (typeof gpu !== "string") {
    const isLinked = (findGpuModel(gpu.slug)?.nvlink ?? false) && count > 1;
    return { model: gpu, gpuCount: count, nvlinkEnabled: nvlinkEnabled ?? isLinked, interconnect: null };
  }
  // Authors know their cards, whatever their types are called elsewhere.
  const chosen = chooseGpu({ provider, instanceType: "", name: gpu, count, aliases });
  return chosen instanceof Rejection ? chosen : { ...chosen, nvlinkEnabled: nvlinkEnabled ?? chosen.nvlinkEnabled };
}

function placeOf({ region, regionInfo, countryCode, cityState: city }: NativeOffer): Machine["place"] | Rejection {
  return countryCode === undefined || regionInCountry(countryCode, "") !== undefined
    ? (regionInfo ?? { region, countryCode, city })
    : new Rejection(
        "unknown_country",
        `countryCode is ${showValue(countryCode)}, which is not an upper-case ISO 3166-1 alpha-2 code.`,
      );
}

function diskOf(row: NativeOffer, provider: NativeProvider): StatedDisk | Rejection {
  const listedGb = row.specs.disk;
  const terms = row.storage ?? flatTerms(row) ?? provider.storage;
  if (terms !== undefined) {
    return { kind: "terms", costPerGb: terms.costPerGB, minGb: terms.minGB, maxGb: terms.maxGB, listedGb };
  }
  return row.costDataComplete === true
    ? invalidOffer("costDataComplete is true, but neither the offer nor its provider has storage terms")
    : { kind: "unpriced", sizeGb: listedGb };
}

/** The API's three fields as storage terms; the schema ensures that all or none are set. */
function flatTerms(row: NativeOffer): NativeStorage | undefined {
  const { storageCostPerGB: costPerGB, storageMinGB: minGB, storageMaxGB: maxGB } = row;
  return costPerGB === undefined || minGB === undefined || maxGB === undefined
    ? undefined
    : { costPerGB, minGB, maxGB };
}
