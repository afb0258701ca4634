import { v5 } from "uuid";

// Chosen once, at random. Another value would give every offer another id.
const NAMESPACE = "029799e6-7830-44e9-a028-e3071bcacaf0";

/**
 * The id of an offer (UUIDv5), the same in every import: it depends on what names the offer and on
 * nothing that changes, such as its price. The parts are joined as JSON, so no two of them run together.
 * @param gpuSlug The card, where the instance type may have one card today and another tomorrow.
 */
export function offerId(provider: string, instanceType: string, region: string, gpuSlug?: string): string {
  const parts = [provider, instanceType, region];
  return v5(JSON.stringify(gpuSlug === undefined ? parts : [...parts, gpuSlug]), NAMESPACE);
}
