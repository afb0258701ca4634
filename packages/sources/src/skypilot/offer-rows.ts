import { pricePerGpu, type Offer } from "@gpu-offers/domain";
import { FirstPlaces } from "../first-places.js";
import { offerId } from "../offer-id.js";
import { DEPLOYMENT_TYPE_OF } from "../deployment-type.js";
import { gpuFacts, publishedOffer } from "../published-offer.js";
import { Refusal } from "../refusal.js";
import { placeRegion } from "../region/place-region.js";
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

interface Specs {
  vcpu: number;
  ram: number;
  disk: number;
}

/** Turns the rows of one SkyPilot catalog that name an accelerator into offers. */
export class OfferRows {
  private readonly quirks: ProviderQuirks;
  private readonly seen = new FirstPlaces((line) => `line ${line}`);

  constructor(
    private readonly columns: Columns,
    private readonly provider: string,
    private readonly type: ProviderType,
  ) {
    this.quirks = quirksOf(provider);
  }

  /** The offer of a row, or why it gives none. GPU facts come from the table of GPU models alone. */
  read(fields: readonly string[], line: number): Offer | Refusal {
    const get = (column: Column) => this.columns.read(fields, column);
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
    const named = this.namedOffer(instanceType, get("Region"), get("AvailabilityZone"), line);
    if (named instanceof Refusal) return named;
    return publishedOffer({
      ...named,
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

  private specsOf(get: (column: Column) => string, totalVramGb: number): Specs | Refusal {
    const vcpu = wholeNumber("vCPUs", get("vCPUs"));
    if (vcpu instanceof Refusal) return vcpu;
    const memory = wholeNumber("MemoryGiB", get("MemoryGiB"));
    if (memory instanceof Refusal) return memory;
    const disk = wholeNumber("StorageGiB", get("StorageGiB"));
    if (disk instanceof Refusal) return disk;
    const isVram = this.quirks.memoryMayBeVram && memory === totalVramGb;
    return { vcpu, ram: isVram ? 0 : memory, disk };
  }

  /** The part of an offer that says which one it is. */
  private namedOffer(
    instanceType: string,
    region: string,
    zone: string,
    line: number,
  ): Pick<Offer, "id" | "provider" | "region" | "regionInfo"> | Refusal {
    if (instanceType === "" || region === "") {
      return new Refusal("missing_value", `${instanceType === "" ? "InstanceType" : "Region"} is empty.`);
    }
    const text = regionText(region, zone);
    const id = offerId(this.provider, instanceType, text);
    const duplicate = this.seen.check(id, line, `${showValue(instanceType)} in ${showValue(text)}`);
    return (
      duplicate ?? {
        id,
        provider: { name: this.provider, slug: this.provider },
        region: text,
        regionInfo: placeRegion(this.provider, region, zone),
      }
    );
  }
}

/** A disk that the file states is part of the instance; otherwise nobody knows what one costs. */
function diskTerms(
  diskGb: number,
): Pick<Offer, "storageCostPerGB" | "storageMinGB" | "storageMaxGB" | "costDataComplete"> {
  return { storageCostPerGB: 0, storageMinGB: diskGb, storageMaxGB: diskGb, costDataComplete: diskGb > 0 };
}
