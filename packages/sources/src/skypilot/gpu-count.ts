import { Refusal } from "../refusal.js";
import { showValue } from "../shown-value.js";
import { parseDecimal } from "./decimal.js";
import type { InstanceFacts } from "./instance-facts.js";

/** Whole GPUs of an instance: `8` or `8.0`. What the provider documents of the type goes before the row. */
export function gpuCountOf(text: string, instanceType: string, facts: InstanceFacts | undefined): number | Refusal {
  if (facts?.share !== undefined) {
    const has = `${showValue(instanceType)} has ${facts.share} of a card`;
    return new Refusal("fractional_gpu", `${has}, though AcceleratorCount says ${showValue(text)} (${facts.source}).`);
  }
  const count = facts?.gpuCount ?? parseDecimal(text);
  if (count === undefined || count === 0) {
    return new Refusal("bad_count", `AcceleratorCount is ${showValue(text)}, which is no whole number from 1.`);
  }
  if (!Number.isInteger(count)) {
    return new Refusal("fractional_gpu", `AcceleratorCount is ${showValue(text)}, which is no number of whole cards.`);
  }
  return count;
}
