import { listingFacts, MAX_PRICE, pricePerGpu, type Offer, type StatedFacts } from "@gpu-offers/domain";
import { asOfSchema } from "../as-of.js";
import { chooseGpu, type GpuClaim } from "../choose-gpu.js";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { dedupe } from "../duplicates.js";
import { offerId } from "../offer-id.js";
import { gpuFacts, publishedOffer } from "../published-offer.js";
import { Rejection } from "../rejection.js";
import { locate, type StatedPlace } from "../region/locate.js";
import { itemOf, type ProviderType, type SourceImage } from "../source-item.js";
import type { LiveContext, LiveItem, LiveSource } from "./live-source.js";
import { hourlyPrice, roundUp } from "./price.js";
import type { ParsedRow } from "./response.js";

/** Region of an offer whose source has none. */
const UNKNOWN_REGION_NAME = "unknown";

/** The disk of a configuration. */
export type LiveDisk =
  /** Included in the price. */
  | {
      kind: "included";
      /** Size in GB. */
      sizeGb: number;
    }
  /** Sold separately at a price that the source does not state. */
  | {
      kind: "unpriced";
      /** Local disk that is included nevertheless, in GB. */
      sizeGb?: number;
    }
  /** Chosen by the user. */
  | {
      kind: "chosen";
      /** Price of one GB in USD per hour, before rounding. */
      costPerGb: number;
      /** Smallest size in GB. */
      minGb: number;
      /** Largest size in GB. */
      maxGb: number;
    };

/** A configuration that a source sells, in the source's terms. */
export interface LiveRow {
  /** Names the configuration in the source; with the region it identifies the offer. `listing` has what one rents. */
  instanceType: string;
  /** The provider's region; null if the source has none. */
  region: string | null;
  /** False if `instanceType` alone identifies the offer: a machine of a market has one location, whatever its name. */
  regionIdentifies?: boolean;
  /** False if the source has rows of one `instanceType` with different GPUs, so that these identify the offer, too. */
  typeFixesGpu?: boolean;
  /** What the source states about the location besides the region name. */
  place?: Omit<StatedPlace, "provider" | "region"> | undefined;
  /** What the source states about the GPUs. */
  gpu: Omit<GpuClaim, "provider" | "instanceType" | "aliases">;
  /** USD per hour for the whole instance, before rounding. */
  priceHourly: number;
  /** Whether it can be rented now, as the source states it. */
  isAvailable: boolean;
  /** Unset if the source does not state it; the documented instance type is used then. */
  vcpu?: number | null | undefined;
  /** GB as the provider states it; unset like `vcpu`. */
  ramGb?: number | null | undefined;
  /** The disk, as the source states it. */
  disk: LiveDisk;
  /** True only if the source states that NVLink joins the GPUs. */
  nvlink?: boolean;
  /** The network between instances, such as `InfiniBand`; null or unset if the source states none. */
  interconnect?: string | null;
  /** False if a part of the cost other than the disk is unknown. */
  costDataComplete?: boolean;
  /** Deployment type, if the provider's type doesn't determine it. */
  type?: ProviderType;
  /** What the row states beyond the offer. */
  listing?: StatedFacts;
}

/** Converts the configurations of one provider into offers. */
export class LiveOffers {
  /** Name of the provider, as its offers have it. */
  readonly provider: string;
  /** Selects the region tables and instance types, whatever name the offers are listed under. */
  readonly #tables: string;
  readonly #type: ProviderType;
  readonly #aliases: LiveContext["aliases"];

  /** @param source Its name selects region tables and instance types, and is the provider's name unless the settings override it. */
  constructor(source: Pick<LiveSource, "name" | "type">, context: Pick<LiveContext, "settings" | "aliases">) {
    this.provider = context.settings.provider ?? source.name;
    this.#tables = source.name;
    this.#type = source.type;
    this.#aliases = context.aliases;
  }

  /**
   * The item that names the seller of the offers.
   * @param asOf The date of the prices, if the source states one. In another form than ISO 8601 it is unknown.
   * @param images The provider's images; undefined if the source doesn't state them.
   */
  providerItem(asOf?: string | null, images?: SourceImage[]): LiveItem {
    const provider = {
      name: this.provider,
      type: this.#type,
      ...(asOf === undefined ? {} : { asOf: asOfSchema.safeParse(asOf).data ?? null }),
      ...(images === undefined ? {} : { images }),
    };
    return { kind: "provider", where: "provider", provider };
  }

  /**
   * The items of rows that were validated; one that doesn't match is rejected.
   * @param read What a row sells; undefined if that is no GPU.
   */
  *items<T>(
    rows: Iterable<ParsedRow<T>>,
    read: (row: T, where: string) => LiveRow | Rejection | readonly (LiveRow | Rejection)[] | undefined,
  ): Generator<LiveItem> {
    for (const { where, row } of rows) {
      const sold = row instanceof Rejection ? row : read(row, where);
      if (sold === undefined) {
        yield { kind: "skipped", where };
      } else {
        yield* [sold].flat().map((each) => this.item(where, each));
      }
    }
  }

  /** The item for a row. */
  item(where: string, row: LiveRow | Rejection, scope?: string): LiveItem {
    const offer = row instanceof Rejection ? row : this.#offer(row);
    const stated = row instanceof Rejection ? {} : (row.listing ?? {});
    const item = itemOf(where, offer, offer instanceof Rejection ? {} : { listing: listingFacts(stated, offer) });
    return scope === undefined ? item : { ...item, scope };
  }

  #offer(row: LiveRow): Offer | Rejection {
    const { instanceType } = row;
    const gpu = chooseGpu({ ...row.gpu, provider: this.#tables, instanceType, aliases: this.#aliases });
    if (gpu instanceof Rejection) {
      return gpu;
    }
    const { gpuCount, documented } = gpu;
    const priceHourly = hourlyPrice(row.priceHourly);
    if (priceHourly instanceof Rejection) {
      return priceHourly;
    }
    const region = row.region ?? UNKNOWN_REGION_NAME;
    const disk = diskTerms(row.disk);
    if (disk instanceof Rejection) {
      return disk;
    }
    return publishedOffer({
      id: offerId(
        this.provider,
        instanceType,
        row.regionIdentifies === false ? "" : region,
        row.typeFixesGpu === false ? `${gpuCount} x ${gpu.model.slug}` : undefined,
      ),
      provider: { name: this.provider, slug: this.provider },
      gpu: gpuFacts(gpu.model),
      gpuCount,
      region,
      regionInfo: locate({ ...row.place, provider: this.#tables, region: row.region ?? "" }),
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
      isAvailable: row.isAvailable,
      specs: {
        vcpu: Math.floor(row.vcpu ?? documented?.vcpu ?? 0),
        ram: Math.floor(row.ramGb ?? documented?.ramGb ?? 0),
        disk: includedGb(row.disk),
      },
      ...disk,
      costDataComplete: disk.costDataComplete && (row.costDataComplete ?? true),
      deploymentType: DEPLOYMENT_TYPE_OF[row.type ?? this.#type],
      nvlinkEnabled: gpu.nvlinkEnabled || (gpuCount > 1 && row.nvlink === true),
      interconnect: row.interconnect ?? gpu.interconnect,
    });
  }
}

/** A machine wherever it may be. */
export type LiveMachine = Omit<LiveRow, "region" | "isAvailable">;

/** A machine in each of its places; in none, it is listed as unavailable. */
export function inPlaces(
  machine: LiveMachine | Rejection,
  places: readonly Pick<LiveRow, "region" | "place" | "isAvailable">[],
): (LiveRow | Rejection)[] {
  if (machine instanceof Rejection) {
    return [machine];
  }
  return places.length === 0
    ? [{ ...machine, region: null, isAvailable: false }]
    : places.map((place) => ({ ...machine, ...place }));
}

/** A machine that is available in all its regions; in none, it is listed as unavailable. */
export function inRegions(machine: LiveMachine | Rejection, regions: Iterable<string>): (LiveRow | Rejection)[] {
  const places = [...new Set(regions)].map((region) => ({ region, isAvailable: true }));
  return inPlaces(machine, places);
}

type DiskTerms = Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete">;

function diskTerms(disk: LiveDisk): DiskTerms | Rejection {
  if (disk.kind === "chosen") {
    if (!(disk.costPerGb <= MAX_PRICE)) {
      return new Rejection("bad_price", `The disk costs ${disk.costPerGb} USD per hour for one GB.`);
    }
    return {
      storageCostPerGB: roundUp(disk.costPerGb),
      storageMinGB: disk.minGb,
      storageMaxGB: disk.maxGb,
      costDataComplete: true,
    };
  }
  const sizeGb = disk.kind === "included" ? includedGb(disk) : 0;
  return { storageCostPerGB: 0, storageMinGB: sizeGb, storageMaxGB: sizeGb, costDataComplete: sizeGb > 0 };
}

function includedGb(disk: LiveDisk): number {
  return disk.kind === "chosen" ? 0 : Math.floor(disk.sizeGb ?? 0);
}

/**
 * The items with one offer per id, as for every source.
 * @param kind Kind of the source, which decides between two prices; by default the provider's name decides.
 */
export function uniqueOffers(items: Iterable<LiveItem>, kind?: LiveSource["kind"]): LiveItem[] {
  return dedupe(onceRejected(items), kind === undefined ? undefined : kind === "marketplace");
}

/** A rejected row is rejected once, not once per region. */
function* onceRejected(items: Iterable<LiveItem>): Generator<LiveItem> {
  let last: LiveItem | undefined;
  for (const item of items) {
    const isRepeated =
      item.kind === "rejection" &&
      last?.kind === "rejection" &&
      item.where === last.where &&
      item.reason === last.reason &&
      item.scope === last.scope;
    if (!isRepeated) {
      yield item;
    }
    last = item;
  }
}
