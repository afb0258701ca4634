import { statedAvailability, type Offer, type RegionInfo, type Seller, type StatedFacts } from "@gpu-offers/domain";
import { currencyOf, type PriceOptions } from "../currencies.js";
import { ContradictedRule, type GpuChoice } from "../choose-gpu.js";
import type { GpuAliases } from "../gpu-alias.js";
import { machineItem, type Machine } from "../machine.js";
import { Rejection } from "../rejection.js";
import { locate } from "../region/locate.js";
import {
  DEPLOYMENT_TYPE_OF,
  rejectionItem,
  type OfferItem,
  type ProviderType,
  type RejectionItem,
  type UnavailableReason,
} from "../source-item.js";
import { contradictedItem } from "../suspended-rules.js";
import type { Columns, Get } from "./columns.js";
import { namesPlace, parseDecimal, priceOf, regionText, wholeNumber } from "./cells.js";
import { gpuOf } from "./gpu-of-row.js";
import { quirksOf, type ProviderQuirks } from "./provider-quirks.js";

// The columns that determine the GPU of a row.
const GPU_COLUMNS = ["InstanceType", "AcceleratorName", "AcceleratorCount", "GpuInfo", "UpstreamCloudId"] as const;

/** Facts that a SkyPilot catalog doesn't contain. */
export interface SkypilotOptions extends PriceOptions {
  /** Name of the provider whose catalog it is, in our spelling: `aws`, `runpod`, `vast`. */
  provider: string;
  /** Provider whose tables apply, if the provider has a different name: `aws` for `my-aws`. */
  tables?: string | undefined;
  /** Type of the provider; default `vm`. */
  type?: ProviderType | undefined;
  /** GPU names that the operator defined; see `parseGpuAliases`. */
  gpuAliases?: GpuAliases | undefined;
}

/** Converts the rows of a SkyPilot catalog that have an accelerator into offers. */
export class OfferRows {
  readonly #quirks: ProviderQuirks;
  /** The provider whose regions, instance types and quirks apply. */
  readonly #tables: string;
  readonly #currency: string;

  /** Located regions by their text: a catalog lists each type in the same regions. */
  readonly #places = new Map<string, RegionInfo>();
  #lastGpu: { key: string; gpu: GpuChoice | Rejection } | undefined;

  constructor(
    readonly columns: Columns,
    private readonly options: SkypilotOptions,
  ) {
    this.#tables = options.tables ?? options.provider;
    this.#quirks = quirksOf(this.#tables);
    this.#currency = options.currency ?? currencyOf(this.#tables, "skypilot");
  }

  /** The item of a row at a location of the file. */
  read(where: string, fields: readonly string[]): OfferItem | RejectionItem {
    const overlong = this.columns.findOverlong(fields);
    return overlong === undefined
      ? this.itemAt(where, (column) => this.columns.read(fields, column))
      : rejectionItem(where, new Rejection("bad_row", `${overlong} is too long to mean anything.`));
  }

  /** The same for a row that is read by column, such as a joined one. */
  itemAt(where: string, get: Get, gpu = this.#gpuOf(get)): OfferItem | RejectionItem {
    if (gpu instanceof ContradictedRule) {
      return contradictedItem(where, gpu, (choice) => this.itemAt(where, get, choice));
    }
    const machine = this.#machineOf(get, gpu);
    const item = this.#itemOf(where, get, machine);
    if (machine instanceof Rejection || item.kind === "rejection" || item.offer.specs.vcpu <= maxVcpu(item.offer)) {
      return item;
    }
    const reason = `vCPUs is ${machine.vcpu}, but a machine with this number of GPUs has at most ${maxVcpu(item.offer)}.`;
    const contradicts = { rule: "how many vCPUs machines have at most", reason, unruled: item };
    return { ...this.#itemOf(where, get, { ...machine, vcpu: null }), contradicts };
  }

  #itemOf(where: string, get: Get, machine: Machine | Rejection): OfferItem | RejectionItem {
    const item = machineItem(where, machine, this.options.money);
    const unavailableReason = item.kind === "offer" ? this.#unavailableReasonOf(item.offer.region) : undefined;
    return item.kind === "rejection"
      ? item
      : { ...item, instanceType: get("InstanceType"), ...(unavailableReason !== undefined && { unavailableReason }) };
  }

  #machineOf(get: Get, gpu: GpuChoice | Rejection): Machine | Rejection {
    if (gpu instanceof Rejection) {
      return gpu;
    }
    const amount = priceOf(get("Price"), get("SpotPrice"), this.#quirks.priceMayBeSpot);
    if (amount instanceof Rejection) {
      return amount;
    }
    const specs = this.#specsOf(get, gpu);
    if (specs instanceof Rejection) {
      return specs;
    }
    const instanceType = get("InstanceType");
    if (instanceType === "") {
      return new Rejection("missing_value", "InstanceType is empty.");
    }
    const region = regionText(get("Region"), get("AvailabilityZone"));
    const isAvailable = this.#unavailableReasonOf(region) === undefined;
    return {
      provider: this.options.provider,
      identity: { name: instanceType, gpu: this.#quirks.typeFixesGpu ? undefined : "card" },
      gpu,
      region,
      place: this.#placeOf(get("Region"), get("AvailabilityZone")),
      price: { amount, currency: this.#currency },
      isAvailable,
      ...specs,
      deploymentType: DEPLOYMENT_TYPE_OF[this.options.type ?? "vm"],
      // SkyPilot collects the price lists of clouds, which say nothing about stock.
      listing: { ...factsOfRow(get, this.#quirks), availability: statedAvailability("listed", isAvailable) },
    };
  }

  #unavailableReasonOf(region: string): UnavailableReason | undefined {
    return this.#quirks.isCrossProduct ? "cross_product" : namesPlace(region) ? undefined : "no_place";
  }

  /** The GPU of a row. Catalogs list a type in all regions consecutively, so the last one is cached. */
  #gpuOf(get: Get): GpuChoice | Rejection {
    const key = GPU_COLUMNS.map(get).join("\u0000");
    if (this.#lastGpu?.key !== key) {
      const gpu = gpuOf({ get, provider: this.#tables, quirks: this.#quirks, aliases: this.options.gpuAliases });
      this.#lastGpu = { key, gpu };
    }
    return this.#lastGpu.gpu;
  }

  #specsOf(get: Get, { model, gpuCount }: GpuChoice): Pick<Machine, "vcpu" | "ramGb" | "disk"> | Rejection {
    const sizes = (["vCPUs", "MemoryGiB", "StorageGiB"] as const).map((column) => wholeNumber(column, get(column)));
    const unreadable = sizes.find((size) => size instanceof Rejection);
    if (unreadable !== undefined) {
      return unreadable;
    }
    const [vcpu, memory, sizeGb = 0] = sizes.map((size) =>
      size === 0 || size instanceof Rejection ? undefined : size,
    );
    const isVram = this.#quirks.memoryMayBeVram && memory === model.vramGb * gpuCount;
    return { vcpu, ramGb: isVram ? undefined : memory, disk: { kind: "stated", sizeGb } };
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
 * Maximum vCPUs of a machine with this number of GPUs; a larger number was copied from another column, and is unknown. Single
 * GPUs come with hosts of up to 512 threads, and NVL72 racks with 36 cores per GPU.
 */
function maxVcpu({ gpuCount }: Offer): number {
  return Math.max(512, 64 * gpuCount);
}

/** What a row states beyond its offer: what one rents, the spot price, and who sells it. */
function factsOfRow(get: Get, quirks: ProviderQuirks): StatedFacts {
  const name = get("InstanceType");
  const upstream = get("UpstreamCloudId");
  const spot = parseDecimal(get("SpotPrice"));
  return {
    instanceType: upstream || (quirks.typesAreOwn ? name : null),
    // SkyPilot launches by its own name.
    toolNames: quirks.typesAreOwn ? {} : { sky: name },
    seller: quirks.typesAreOwn ? "cloud" : sellerIn(name),
    spot: spot === undefined ? null : { priceHourly: spot, kind: quirks.spotIsBid ? "bid" : "price" },
  };
}

/** `1x_A100-80GB_SECURE`: RunPod's clouds of data centers and of individuals. */
function sellerIn(name: string): Seller | null {
  const [, cloud = ""] = /_(SECURE|COMMUNITY)$/.exec(name) ?? [];
  return cloud === "" ? null : cloud === "SECURE" ? "partner" : "host";
}
