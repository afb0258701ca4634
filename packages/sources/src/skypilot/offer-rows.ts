import { pricePerGpu, type Offer } from "@gpu-offers/domain";
import { FirstPlaces } from "../first-places.js";
import { offerId } from "../offer-id.js";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { gpuFacts, publishedOffer } from "../published-offer.js";
import { Refusal } from "../refusal.js";
import { locate } from "../region/locate.js";
import { showValue } from "../shown-value.js";
import type { ProviderType } from "../source-item.js";
import type { Column, Columns } from "./columns.js";
import { wholeNumber } from "./decimal.js";
import { chooseGpu } from "./gpu-choice.js";
import { gpuCountOf } from "./gpu-count.js";
import { factsOf } from "./instance-facts.js";
import { priceOf } from "./price.js";
import { quirksOf, type ProviderQuirks } from "./provider-quirks.js";
import { regionText } from "./region-text.js";

/** Reads a column of the row at hand. */
type Get = (column: Column) => string;
type Identity = Pick<Offer, "id" | "provider" | "region" | "regionInfo">;
type DiskTerms = Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete">;

/** Turns the rows of one SkyPilot catalog that name an accelerator into offers. */
export class OfferRows {
  private readonly quirks: ProviderQuirks;
  private readonly seen = new FirstPlaces((line) => `line ${line}`);

  constructor(
    readonly columns: Columns,
    private readonly provider: string,
    private readonly type: ProviderType,
  ) {
    this.quirks = quirksOf(provider);
  }

  /** The offer of a row, or why it gives none. */
  read(fields: readonly string[], line: number): Offer | Refusal {
    const overlong = this.columns.findOverlong(fields);
    if (overlong !== undefined) return new Refusal("bad_row", `${overlong} is too long to mean anything.`);
    const get: Get = (column) => this.columns.read(fields, column);
    const offer = this.offerOf(get);
    if (offer instanceof Refusal) return offer;
    const what = `${showValue(get("InstanceType"))} in ${showValue(offer.region)}`;
    return this.seen.check(offer.id, line, what) ?? offer;
  }

  /** GPU facts come from the table of GPU models alone. */
  private offerOf(get: Get): Offer | Refusal {
    const instanceType = get("InstanceType");
    const statedCount = get("AcceleratorCount");
    const facts = factsOf(this.provider, instanceType);
    const gpuRow =
      facts?.gpu === undefined
        ? { name: get("AcceleratorName"), instanceType, gpuInfo: get("GpuInfo"), statedCount }
        : { name: facts.gpu, instanceType, gpuInfo: "", statedCount };
    const gpu = chooseGpu(gpuRow, this.quirks);
    if (gpu instanceof Refusal) return gpu;
    const count = gpuCountOf(statedCount, instanceType, facts);
    if (count instanceof Refusal) return count;
    const price = priceOf(get("Price"), get("SpotPrice"));
    if (price instanceof Refusal) return price;
    const specs = this.specsOf(get, gpu.model.vramGb * count);
    if (specs instanceof Refusal) return specs;
    const identity = this.identityOf(instanceType, get("Region"), get("AvailabilityZone"));
    if (identity instanceof Refusal) return identity;
    return publishedOffer({
      ...identity,
      gpu: gpuFacts(gpu.model),
      gpuCount: count,
      priceHourly: price,
      pricePerGpu: pricePerGpu(price, count),
      isAvailable: this.quirks.rowsAreAvailable,
      specs,
      ...diskTerms(specs.disk),
      deploymentType: DEPLOYMENT_TYPE_OF[this.type],
      nvlinkEnabled: count > 1 && (gpu.model.nvlink || gpu.saysNvlink),
      interconnect: null,
    });
  }

  private specsOf(get: Get, totalVramGb: number): Offer["specs"] | Refusal {
    const vcpu = wholeNumber("vCPUs", get("vCPUs"));
    if (vcpu instanceof Refusal) return vcpu;
    const memory = wholeNumber("MemoryGiB", get("MemoryGiB"));
    if (memory instanceof Refusal) return memory;
    const disk = wholeNumber("StorageGiB", get("StorageGiB"));
    if (disk instanceof Refusal) return disk;
    const isVram = this.quirks.memoryMayBeVram && memory === totalVramGb;
    return { vcpu, ram: isVram ? 0 : memory, disk };
  }

  /** The part of an offer that says which one it is and where. */
  private identityOf(instanceType: string, region: string, zone: string): Identity | Refusal {
    if (instanceType === "" || region === "") {
      return new Refusal("missing_value", `${instanceType === "" ? "InstanceType" : "Region"} is empty.`);
    }
    const text = regionText(region, zone);
    return {
      id: offerId(this.provider, instanceType, text),
      provider: { name: this.provider, slug: this.provider },
      region: text,
      regionInfo: locate({ provider: this.provider, region, zone }),
    };
  }
}

/** A disk that the file states is part of the instance; otherwise nobody knows what one costs. */
function diskTerms(diskGb: number): DiskTerms {
  return { storageCostPerGB: 0, storageMinGB: diskGb, storageMaxGB: diskGb, costDataComplete: diskGb > 0 };
}
