import { parse, v5 } from "uuid";

// Chosen once, at random. Changing it would change the id of every offer.
const NAMESPACE = parse("029799e6-7830-44e9-a028-e3071bcacaf0");

const UTF8 = new TextEncoder();

/**
 * The id of an offer (UUIDv5), the same in every import: it depends on what names the offer and on
 * nothing that changes, such as its price. The parts are joined as JSON, so that different parts never join to the same text.
 * @param gpuSlug The card, if the instance type may have a different card at another time.
 */
export function offerId(provider: string, instanceType: string, region: string, gpuSlug?: string): string {
  const parts = [provider, instanceType, region];
  const name = JSON.stringify(gpuSlug === undefined ? parts : [...parts, gpuSlug]);
  // As bytes, which the library would otherwise make of both each time.
  return v5(UTF8.encode(name), NAMESPACE);
}
