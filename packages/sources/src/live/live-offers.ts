import { pricePerGpu, resolveGpu, type GpuModel, type Offer } from "@gpu-offers/domain";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { gpuRefusal } from "../gpu-refusal.js";
import { offerId } from "../offer-id.js";
import { gpuFacts, publishedOffer } from "../published-offer.js";
import { Refusal } from "../refusal.js";
import { locate, type StatedPlace } from "../region/locate.js";
import { showValue } from "../shown-value.js";
import { itemOf, type ProviderType } from "../source-item.js";
import type { LiveContext, LiveItem, LiveSource } from "./live-source.js";
import { hourlyPrice, roundUp } from "./price.js";

/** The region of an offer whose source names none. */
export const UNKNOWN_REGION_NAME = "unknown";

/** The disk of a configuration. */
export type LiveDisk =
  /** Part of the price, in GB. */
  | { readonly kind: "included"; readonly sizeGb: number }
  /** Sold apart at a price that the source does not tell; `sizeGb` of local disk may come on top. */
  | { readonly kind: "unpriced"; readonly sizeGb?: number }
  /** Chosen by the user and charged per GB and hour, in USD before rounding. */
  | { readonly kind: "chosen"; readonly costPerGb: number; readonly minGb: number; readonly maxGb: number };

/** A configuration that a source sells, in its own words. */
export interface LiveRow {
  /** What names the configuration at the provider; with the region it identifies the offer. */
  readonly instanceType: string;
  /** The provider's region; null when the source names none. */
  readonly region: string | null;
  /** False when `instanceType` alone identifies the offer: a machine of a market stands in one place, however named. */
  readonly regionIdentifies?: boolean;
  /** What the source states of the place beside the name of the region. */
  readonly place?: Omit<StatedPlace, "provider" | "region"> | undefined;
  /** Names of the GPU, the most exact first. The first that means one model decides. */
  readonly gpuNames: readonly string[];
  /** Memory of one GPU as stated, GB or GiB. */
  readonly gpuMemoryGb?: number | null | undefined;
  readonly gpuCount: number;
  /** USD an hour for the whole instance, before rounding. */
  readonly priceHourly: number;
  readonly isAvailable: boolean;
  readonly vcpu?: number | null | undefined;
  /** GB as the provider states it. */
  readonly ramGb?: number | null | undefined;
  readonly disk: LiveDisk;
  /** True only where the source says that NVLink joins the GPUs. */
  readonly nvlink?: boolean;
  readonly interconnect?: string | null;
  /** False when a part of the cost is unknown for another reason than the disk. */
  readonly costDataComplete?: boolean;
  /** How it is deployed where that is not told by the type of the provider. */
  readonly type?: ProviderType;
}

/** Turns the configurations of one provider into offers. */
export class LiveOffers {
  readonly provider: string;
  /** Whose region tables and instance types apply, whatever name the offers are listed under. */
  private readonly tables: string;
  private readonly type: ProviderType;
  private readonly aliases: LiveContext["aliases"];

  constructor(source: LiveSource, context: LiveContext) {
    this.provider = context.settings.provider ?? source.name;
    this.tables = source.name;
    this.type = source.type;
    this.aliases = context.aliases;
  }

  /** The item that says who sells the offers. `asOf` is the date that the source gives its prices, if it does. */
  providerItem(asOf?: string | null): LiveItem {
    const provider = { name: this.provider, type: this.type, images: [] };
    return { kind: "provider", where: "provider", provider: asOf === undefined ? provider : { ...provider, asOf } };
  }

  /** The item of a row. */
  item(where: string, row: LiveRow | Refusal, scope?: string): LiveItem {
    const item = itemOf(where, row instanceof Refusal ? row : this.offer(row));
    return scope === undefined ? item : { ...item, scope };
  }

  private offer(row: LiveRow): Offer | Refusal {
    const model = this.modelOf(row);
    if (model instanceof Refusal) return model;
    if (!Number.isInteger(row.gpuCount) || row.gpuCount < 1) {
      return row.gpuCount > 0 && row.gpuCount < 1
        ? new Refusal("fractional_gpu", `The row rents out ${row.gpuCount} of a card.`)
        : new Refusal("bad_count", `The GPU count is ${showValue(row.gpuCount)}, which is not a whole number from 1.`);
    }
    const priceHourly = hourlyPrice(row.priceHourly);
    if (priceHourly instanceof Refusal) return priceHourly;
    const region = row.region ?? UNKNOWN_REGION_NAME;
    const disk = diskTerms(row.disk);
    return publishedOffer({
      id: offerId(this.provider, row.instanceType, row.regionIdentifies === false ? "" : region),
      provider: { name: this.provider, slug: this.provider },
      gpu: gpuFacts(model),
      gpuCount: row.gpuCount,
      region,
      regionInfo: locate({ ...row.place, provider: this.tables, region: row.region ?? "" }),
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, row.gpuCount),
      isAvailable: row.isAvailable,
      specs: { vcpu: Math.floor(row.vcpu ?? 0), ram: Math.floor(row.ramGb ?? 0), disk: includedGb(row.disk) },
      ...disk,
      costDataComplete: disk.costDataComplete && (row.costDataComplete ?? true),
      deploymentType: DEPLOYMENT_TYPE_OF[row.type ?? this.type],
      nvlinkEnabled: row.gpuCount > 1 && (model.nvlink || row.nvlink === true),
      interconnect: row.interconnect ?? null,
    });
  }

  private modelOf({ gpuNames, gpuMemoryGb }: LiveRow): GpuModel | Refusal {
    const hints = { vramGb: gpuMemoryGb ?? undefined };
    let refusal: Refusal | undefined;
    for (const name of gpuNames) {
      const resolution = resolveGpu(this.aliases.get(name.toLowerCase()) ?? name, hints);
      if (resolution.kind === "gpu") return resolution.model;
      refusal ??= gpuRefusal(name, resolution);
    }
    return refusal ?? new Refusal("missing_value", "The row does not name its GPU.");
  }
}

type DiskTerms = Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete">;

function diskTerms(disk: LiveDisk): DiskTerms {
  if (disk.kind === "chosen") {
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

/** The items with one offer per id: the cheapest, so that the order of rows does not matter. The others are duplicates. */
export function uniqueOffers(items: Iterable<LiveItem>): LiveItem[] {
  const list = [...items];
  const best = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    if (item.kind !== "offer") continue;
    const { id } = item.offer;
    const held = best.get(id);
    const other = held === undefined ? undefined : list[held];
    if (held === undefined || other?.kind !== "offer") {
      best.set(id, index);
      continue;
    }
    const [winner, loser] = isCheaper(item.offer, other.offer) ? [index, held] : [held, index];
    best.set(id, winner);
    list[loser] = duplicateOf(list[loser], list[winner]);
  }
  return list;
}

function isCheaper(one: Offer, other: Offer): boolean {
  if (one.priceHourly !== other.priceHourly) return one.priceHourly < other.priceHourly;
  if (one.storageCostPerGB !== other.storageCostPerGB) return one.storageCostPerGB < other.storageCostPerGB;
  return JSON.stringify(one) < JSON.stringify(other);
}

function duplicateOf(loser: LiveItem | undefined, winner: LiveItem | undefined): LiveItem {
  if (loser?.kind !== "offer" || winner?.kind !== "offer") throw new Error("Only offers can be duplicates.");
  const reason = `The offer is a duplicate of ${winner.where}, which is at most as expensive.`;
  // The row was understood, so that no limit of refused rows may count it.
  const item = {
    kind: "refusal" as const,
    where: loser.where,
    code: "duplicate" as const,
    reason,
    countsAsGpuRow: false,
  };
  return loser.scope === undefined ? item : { ...item, scope: loser.scope };
}
