import { publishedOfferSchema, type GpuModel, type Offer } from "@gpu-offers/domain";
import { issueText } from "./issue-text.js";
import { Refusal } from "./refusal.js";

/** The offer with its fields in the interface's order, or a refusal with the rules that it breaks. */
export function publishedOffer(offer: Offer): Offer | Refusal {
  const result = publishedOfferSchema.safeParse(offer);
  return result.success ? result.data : invalidOffer(issueText(result.error));
}

/** A refusal of an offer as invalid. `fault` is a clause without its full stop. */
export function invalidOffer(fault: string): Refusal {
  return new Refusal("invalid_offer", `The offer is not valid: ${fault}.`);
}

/** What an offer shows of a GPU model. */
export function gpuFacts({ name, slug, vramGb, architecture }: GpuModel): Offer["gpu"] {
  return { name, slug, vramGB: vramGb, architecture };
}
