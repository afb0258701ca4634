import { publishedOfferSchema, type GpuModel, type Offer } from "@gpu-offers/domain";
import { issueText } from "./issue-text.js";
import { Rejection } from "./rejection.js";

/** The offer with its fields in the API's order, or a rejection with the rules that it breaks. */
export function publishedOffer(offer: Offer): Offer | Rejection {
  const result = publishedOfferSchema.safeParse(offer);
  return result.success ? result.data : invalidOffer(issueText(result.error));
}

/** Rejects an offer as invalid. `problem` is a clause without a period. */
export function invalidOffer(problem: string): Rejection {
  return new Rejection("invalid_offer", `The offer is not valid: ${problem}.`);
}

/** The fields of a GPU model in an offer. */
export function gpuFacts({ name, slug, vramGb, architecture }: GpuModel): Offer["gpu"] {
  return { name, slug, vramGB: vramGb, architecture };
}
