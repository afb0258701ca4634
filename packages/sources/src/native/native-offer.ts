import { findGpuModel, pricePerGpu, resolveGpu, type GpuModel, type Offer, type RegionInfo } from "@gpu-offers/domain";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { findAlias, type GpuAliases } from "../gpu-alias.js";
import { gpuRejection } from "../gpu-rejection.js";
import { offerId } from "../offer-id.js";
import { gpuFacts, invalidOffer, publishedOffer } from "../published-offer.js";
import { Rejection } from "../rejection.js";
import { regionInCountry } from "../region/country.js";
import { locate } from "../region/locate.js";
import { showValue } from "../shown-value.js";
import type { NativeOffer, NativeProvider, NativeStorage } from "./native-schema.js";

type StorageFields = Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete">;

/** Converts a native offer to a published one, filling in all omitted fields. */
export function completeOffer(
  row: NativeOffer,
  provider: NativeProvider,
  aliases: GpuAliases | undefined,
): Offer | Rejection {
  const gpu = gpuOf(row.gpu, aliases);
  if (gpu instanceof Rejection) {
    return gpu;
  }
  const regionInfo = regionInfoOf(row, provider.name);
  if (regionInfo instanceof Rejection) {
    return regionInfo;
  }
  const storage = storageOf(row, provider);
  if (storage instanceof Rejection) {
    return storage;
  }
  return publishedOffer({
    id: row.id ?? offerId(provider.name, row.instanceType ?? "", row.region),
    provider: { name: provider.name, slug: provider.name },
    gpu: gpu.facts,
    gpuCount: row.gpuCount,
    region: row.region,
    regionInfo,
    priceHourly: row.priceHourly,
    pricePerGpu: row.pricePerGpu ?? pricePerGpu(row.priceHourly, row.gpuCount),
    isAvailable: row.isAvailable,
    specs: row.specs,
    ...storage,
    deploymentType: row.deploymentType ?? DEPLOYMENT_TYPE_OF[provider.type],
    nvlinkEnabled: row.nvlinkEnabled ?? (gpu.nvlink && row.gpuCount > 1),
    interconnect: row.interconnect,
  });
}

/** Facts of a GPU given by name come from the table; an object states its own. */
function gpuOf(
  gpu: NativeOffer["gpu"],
  aliases: GpuAliases | undefined,
): { facts: Offer["gpu"]; nvlink: boolean } | Rejection {
  if (typeof gpu !== "string") {
    return { facts: gpu, nvlink: findGpuModel(gpu.slug)?.nvlink ?? false };
  }
  const model = modelOf(gpu, aliases);
  return model instanceof Rejection ? model : { facts: gpuFacts(model), nvlink: model.nvlink };
}

function modelOf(name: string, aliases: GpuAliases | undefined): GpuModel | Rejection {
  const model = findAlias(name, aliases) ?? findGpuModel(name);
  if (model !== undefined) {
    return model;
  }
  const resolution = resolveGpu(name);
  return resolution.kind === "gpu" ? resolution.model : gpuRejection(name, resolution);
}

function regionInfoOf(row: NativeOffer, provider: string): RegionInfo | Rejection {
  if (row.regionInfo !== undefined) {
    return row.regionInfo;
  }
  if (row.countryCode !== undefined) {
    const reason = `countryCode is ${showValue(row.countryCode)}, which is not an upper-case ISO 3166-1 alpha-2 code.`;
    return regionInCountry(row.countryCode, row.cityState ?? "") ?? new Rejection("unknown_country", reason);
  }
  const placed = locate({ provider, region: row.region });
  return row.cityState === undefined ? placed : { ...placed, cityState: row.cityState };
}

function storageOf(row: NativeOffer, provider: NativeProvider): StorageFields | Rejection {
  const terms = row.storage ?? flatTerms(row) ?? provider.storage;
  if (terms === undefined && row.costDataComplete === true) {
    return invalidOffer("costDataComplete is true, but neither the offer nor its provider has storage terms");
  }
  const { costPerGB, minGB, maxGB } = terms ?? { costPerGB: 0, minGB: 0, maxGB: 0 };
  return {
    storageCostPerGB: costPerGB,
    storageMinGB: minGB,
    storageMaxGB: maxGB,
    costDataComplete: row.costDataComplete ?? terms !== undefined,
  };
}

/** The API's three fields as storage terms; the schema ensures that all or none are set. */
function flatTerms(row: NativeOffer): NativeStorage | undefined {
  const { storageCostPerGB: costPerGB, storageMinGB: minGB, storageMaxGB: maxGB } = row;
  return costPerGB === undefined || minGB === undefined || maxGB === undefined
    ? undefined
    : { costPerGB, minGB, maxGB };
}
