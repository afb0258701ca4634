import * as z from "zod";
import { Rejection } from "../rejection.js";
import { defineSource } from "./define-source.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply } from "./live-source.js";
import { bodyOf, nameSchema, responsesOf, rowsOf } from "./response.js";

// https://docs.oracle.com/iaas/Content/Billing/Tasks/signingup_topic-Estimating_Costs.htm: the price list behind the cost
// estimator. It has one price per kind of GPU; the documentation of shapes states which shapes have how many.

const bodySchema = z.union([
  z.object({ lastUpdated: z.string().max(40).nullish(), items: z.array(z.unknown()) }),
  z.array(z.unknown()).transform((rows) => ({ lastUpdated: undefined, items: rows })),
]);

const productSchema = z.object({
  partNumber: nameSchema,
  displayName: z.string().max(300),
  metricName: z.string(),
  serviceCategory: z.string(),
  currencyCodeLocalizations: z.array(
    z.object({ currencyCode: z.string(), prices: z.array(z.object({ model: z.string(), value: z.number().min(0) })) }),
  ),
});
type Product = z.output<typeof productSchema>;

/**
 * The shapes whose GPUs a product pays for, by the GPU as the product names it: GPUs, VM or bare metal.
 * Source: https://docs.oracle.com/iaas/Content/Compute/References/computeshapes.htm. X7, V2 and E3 name the processor
 * instead of the card; the price list groups them with these shapes.
 */
const SHAPES: ReadonlyMap<string, readonly string[]> = new Map([
  ["L40S", ["BM.GPU.L40S.4"]],
  ["RTX PRO 6000", ["BM.GPU.RTXPRO.8"]],
  ["MI300X", ["BM.GPU.MI300X.8"]],
  ["MI355X", ["BM.GPU.MI355X.8"]],
  ["H100", ["BM.GPU.H100.8"]],
  ["H200", ["BM.GPU.H200.8"]],
  ["B200", ["BM.GPU.B200.8"]],
  ["B300", ["BM.GPU.B300.8"]],
  ["GB200", ["BM.GPU.GB200.4"]],
  ["GB300", ["BM.GPU.GB300.4"]],
  ["A10", ["VM.GPU.A10.1", "VM.GPU.A10.2", "BM.GPU.A10.4"]],
  ["A100 - v2", ["BM.GPU.A100-v2.8"]],
  ["Bare Metal GPU Standard - X7", ["BM.GPU2.2"]],
  ["Virtual Machine GPU Standard - X7", ["VM.GPU2.1"]],
  ["GPU Standard - V2", ["VM.GPU3.1", "VM.GPU3.2", "VM.GPU3.4", "BM.GPU3.8"]],
  ["E3", ["BM.GPU4.8"]],
]);
/** Cards of shapes whose product does not name them. */
const CARDS: ReadonlyMap<string, string> = new Map([
  ["A100 - v2", "A100 SXM 80GB"],
  ["Bare Metal GPU Standard - X7", "P100 16GB"],
  ["Virtual Machine GPU Standard - X7", "P100 16GB"],
  ["GPU Standard - V2", "V100 16GB"],
  ["E3", "A100 SXM 40GB"],
]);

export const oci = defineSource({
  name: "oci",
  title: "Oracle Cloud Infrastructure",
  homepage: "https://www.oracle.com/cloud/",
  hosts: ["apexapps.oracle.com"],
  intervalSeconds: 6 * 3600,
  stock: "unknown",
  verified: true,
  terms: "The provider's public API, readable without a key.",
  includes: "price of one GPU, the same in all commercial regions; date of the list",
  omits: "regions, stock, disk; the price of processors and memory of virtual machines",
  unit: "USD per hour of one GPU",

  *requests() {
    const url = "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/?currencyCode=USD";
    yield { part: "products", main: true, method: "GET", url };
  },

  items,
});

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const bodies = responsesOf(replies, "products").map((response) => bodyOf(response, bodySchema));
  const rows = bodies.flatMap(({ items: products }) => products);
  yield offers.providerItem(bodies[0]?.lastUpdated ?? undefined);
  yield* offers.items(rowsOf(rows, productSchema, "products"), rowsOfProduct);
}

function rowsOfProduct(product: Product): LiveRow[] | Rejection | undefined {
  const { displayName, metricName, serviceCategory } = product;
  if (!/\bGPU\b/.test(`${displayName} ${serviceCategory}`)) {
    return undefined;
  }
  if (metricName !== "GPU Per Hour" || !/^Compute - GPU\b/.test(serviceCategory)) {
    const what = `${displayName} is charged as ${metricName} of ${serviceCategory}`;
    return new Rejection("other_terms", `${what}, not as a GPU of an instance.`);
  }
  const price = priceOf(product);
  if (price instanceof Rejection) {
    return price;
  }
  const name = gpuNameOf(displayName);
  const shapes = SHAPES.get(name);
  if (shapes === undefined) {
    return new Rejection("unknown_gpu", `No documented shape has the GPUs of "${displayName}".`);
  }
  return shapes.map((shape) => {
    const count = Number(/\.(\d+)$/.exec(shape)?.[1]);
    const isVirtual = shape.startsWith("VM.");
    return {
      instanceType: shape,
      region: null,
      gpu: { name: CARDS.get(name) ?? name, count },
      priceHourly: price * count,
      isAvailable: false,
      disk: { kind: "unpriced" },
      listing: { instanceType: shape, seller: "cloud" },
      type: isVirtual ? "vm" : "bare-metal",
    };
  });
}

function priceOf({ partNumber, currencyCodeLocalizations }: Product): number | Rejection {
  const dollars = currencyCodeLocalizations.find(({ currencyCode }) => currencyCode === "USD");
  if (dollars === undefined) {
    return new Rejection("unknown_currency", `${partNumber} has no price in USD.`);
  }
  const price = dollars.prices.find(({ model }) => model === "PAY_AS_YOU_GO");
  return price === undefined ? new Rejection("no_price", `${partNumber} has no pay-as-you-go price.`) : price.value;
}

/** The GPU in a product's name: `OCI - Compute - GPU - H100`, `Compute - Bare Metal GPU Standard - X7`. */
function gpuNameOf(displayName: string): string {
  const text = displayName.replaceAll(/\s+/g, " ").replace(/^.*?\bCompute ?- ?/, "");
  return text.replace(/^GPU - /, "").trim();
}
