import { listingFacts, pricePerGpu, type Offer, type RegionInfo } from "@gpu-offers/domain";
import { offerId } from "../offer-id.js";
import { currencyOf, inUsd, type Money } from "../currencies.js";
import type { GpuChoice } from "../choose-gpu.js";
import type { GpuAliases } from "../gpu-alias.js";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { gpuFacts, publishedOffer } from "../published-offer.js";
import { Rejection } from "../rejection.js";
import { locate } from "../region/locate.js";
import {
  itemOf,
  type OfferItem,
  type ProviderType,
  type RejectionItem,
  type UnavailableReason,
} from "../source-item.js";
import type { Column, Columns } from "./columns.js";
import { wholeNumber } from "./decimal.js";
import { factsOfRow } from "./facts-of-row.js";
import { gpuOf } from "./gpu-of-row.js";
import { priceOf } from "./price.js";
import { quirksOf, type ProviderQuirks } from "./provider-quirks.js";
import { namesPlace, regionText } from "./region-text.js";

/** Reads a column of the current row. */
type Get = (column: Column) => string;
type Identity = Pick<Offer, "id" | "provider" | "region" | "regionInfo">;
type DiskTerms = Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete">;

// The columns that determine the GPU of a row.
const GPU_COLUMNS: readonly Column[] = [
  "InstanceType",
  "AcceleratorName",
  "AcceleratorCount",
  "GpuInfo",
  "UpstreamCloudId",
];

/** Facts that the rows don't contain. */
interface RowOptions {
  provider: string;
  tables?: string | undefined;
  type?: ProviderType | undefined;
  gpuAliases?: GpuAliases | undefined;
  currency?: string | undefined;
  usdPerUnit?: number | undefined;
  rateRemedy?: string | undefined;
}

/** Converts the rows of a SkyPilot catalog that have an accelerator into offers. */
export class OfferRows {
  readonly #quirks: ProviderQuirks;
  readonly #provider: string;
  /** The provider whose regions, instance types and quirks apply. */
  readonly #tables: string;
  readonly #type: ProviderType;
  readonly #gpuAliases: GpuAliases | undefined;
  readonly #money: Money;

  /** Located regions by their text: a catalog lists each type in the same regions. */
  readonly #places = new Map<string, RegionInfo>();
  #lastGpu: { key: string; gpu: GpuChoice | Rejection } | undefined;

  constructor(
    readonly columns: Columns,
    {
      provider,
      tables = provider,
      type = "vm",
      gpuAliases,
      currency = currencyOf(tables),
      usdPerUnit,
      rateRemedy: remedy,
    }: RowOptions,
  ) {
    this.#money = { currency, usdPerUnit, remedy };
    this.#provider = provider;
    this.#tables = tables;
    this.#type = type;
    this.#gpuAliases = gpuAliases;
    this.#quirks = quirksOf(tables);
  }

  /** The item of a row at a location of the file. */
  read(where: string, fields: readonly string[]): OfferItem | RejectionItem {
    const overlong = this.columns.findOverlong(fields);
    return overlong === undefined
      ? this.itemAt(where, (column) => this.columns.read(fields, column))
      : itemOf(where, new Rejection("bad_row", `${overlong} is too long to mean anything.`));
  }

  /** The same for a row that is read by column, such as a joined one. */
  itemAt(where: string, get: Get): OfferItem | RejectionItem {
    const offer = this.#offerOf(get);
    const instanceType = get("InstanceType");
    return offer instanceof Rejection
      ? itemOf(where, offer)
      : itemOf(where, offer, {
          instanceType,
          unavailableReason: this.#unavailableReasonOf(offer.region),
          listing: listingFacts(factsOfRow(get, this.#quirks, this.#money), offer),
        });
  }

  /** GPU facts come only from the table of GPU models. */
  #offerOf(get: Get): Offer | Rejection {
    const instanceType = get("InstanceType");
    const gpu = this.#gpuOf(get);
    if (gpu instanceof Rejection) {
      return gpu;
    }
    const { model, gpuCount, nvlinkEnabled, interconnect } = gpu;
    const stated = priceOf(get("Price"), get("SpotPrice"), this.#quirks);
    const price = stated instanceof Rejection ? stated : inUsd(stated, this.#money);
    if (price instanceof Rejection) {
      return price;
    }
    const specs = this.#specsOf(get, gpu);
    if (specs instanceof Rejection) {
      return specs;
    }
    const identity = this.#identityOf(instanceType, model.slug, get("Region"), get("AvailabilityZone"));
    if (identity instanceof Rejection) {
      return identity;
    }
    return publishedOffer({
      ...identity,
      gpu: gpuFacts(model),
      gpuCount,
      priceHourly: price,
      pricePerGpu: pricePerGpu(price, gpuCount),
      isAvailable: this.#unavailableReasonOf(identity.region) === undefined,
      specs,
      ...diskTerms(specs.disk),
      ...(this.#money.currency !== "USD" && { costDataComplete: false }),
      deploymentType: DEPLOYMENT_TYPE_OF[this.#type],
      nvlinkEnabled,
      interconnect,
    });
  }

  #unavailableReasonOf(region: string): UnavailableReason | undefined {
    return this.#quirks.rowsAreAvailable ? (namesPlace(region) ? undefined : "no_place") : "cross_product";
  }

  /** The GPU of a row. Catalogs list a type in all regions consecutively, so the last one is cached. */
  #gpuOf(get: Get): GpuChoice | Rejection {
    const key = GPU_COLUMNS.map(get).join("\u0000");
    if (this.#lastGpu?.key !== key) {
      const gpu = gpuOf({ get, provider: this.#tables, quirks: this.#quirks, aliases: this.#gpuAliases });
      this.#lastGpu = { key, gpu };
    }
    return this.#lastGpu.gpu;
  }

  /** What the row states about the machine; if it states nothing, the provider's documentation of the type. */
  #specsOf(get: Get, { model, gpuCount, documented }: GpuChoice): Offer["specs"] | Rejection {
    const vcpu = wholeNumber("vCPUs", get("vCPUs"));
    if (vcpu instanceof Rejection) {
      return vcpu;
    }
    const memory = wholeNumber("MemoryGiB", get("MemoryGiB"));
    if (memory instanceof Rejection) {
      return memory;
    }
    const disk = wholeNumber("StorageGiB", get("StorageGiB"));
    if (disk instanceof Rejection) {
      return disk;
    }
    const isVram = this.#quirks.memoryMayBeVram && memory === model.vramGb * gpuCount;
    return {
      vcpu: (vcpu <= maxVcpu(gpuCount) && vcpu) || (documented?.vcpu ?? 0),
      ram: (!isVram && memory) || Math.floor(documented?.ramGb ?? 0),
      disk,
    };
  }

  /** The fields of an offer that identify and locate it. */
  #identityOf(instanceType: string, gpuSlug: string, region: string, zone: string): Identity | Rejection {
    if (instanceType === "") {
      return new Rejection("missing_value", "InstanceType is empty.");
    }
    const text = regionText(region, zone);
    return {
      id: offerId(this.#provider, instanceType, text, this.#quirks.typeFixesGpu ? undefined : gpuSlug),
      provider: { name: this.#provider, slug: this.#provider },
      region: text,
      regionInfo: this.#placeOf(region, zone),
    };
  }

  #placeOf(region: string, zone: string): RegionInfo {
    const key = `${region}\u0000${zone}`;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = locate({ provider: this.#tables, region, zone });
      this.#places.set(key, place);
    }
    return place;
  }
}

/**
 * Maximum vCPUs of a machine with this number of GPUs; a larger number was copied from another column. Single GPUs come
 * with hosts of up to 512 threads, and NVL72 racks with 36 cores per GPU.
 */
function maxVcpu(gpuCount: number): number {
  return Math.max(512, 64 * gpuCount);
}

/** A disk stated in the file is part of the instance; otherwise the price of a disk is unknown. */
function diskTerms(diskGb: number): DiskTerms {
  return { storageCostPerGB: 0, storageMinGB: diskGb, storageMaxGB: diskGb, costDataComplete: diskGb > 0 };
}
