import * as z from "zod";
import { ociShapes } from "../price-lists.facts.js";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import { bodiesOf, matchingRows, nameSchema, rowsOf } from "./response.js";

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

export const oci = builtInSource("oci", {
  requests: [
    { part: "products", url: "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/?currencyCode=USD" },
  ],

  *items(offers, replies) {
    const bodies = bodiesOf(replies, "products", bodySchema);
    const rows = bodies.flatMap(({ items }) => items);
    yield offers.providerItem(bodies[0]?.lastUpdated ?? undefined);
    const products = rowsOf(rows, productSchema, "products");
    const disk = volumeIn(matchingRows(products));
    yield* offers.items(products, (product) => rowsOfProduct(product, disk));
  },
});

/** Parts of a block volume with the balanced performance, which is the default: storage, and ten performance units. */
const VOLUME_PARTS: ReadonlyMap<string, number> = new Map(Object.entries({ B91961: 1, B91962: 10 }));

/** The volume that machines boot from; undefined unless the list has the prices of both parts. */
function volumeIn(products: readonly Product[]): ReadDisk | undefined {
  const prices = products.flatMap((product) => {
    const units = VOLUME_PARTS.get(product.partNumber);
    const price = units === undefined ? undefined : priceOf(product);
    return units === undefined || typeof price !== "number" || price === 0 ? [] : [units * price];
  });
  const pricePerGbMonth = Math.round(prices.reduce((sum, price) => sum + price, 0) * 1e9) / 1e9;
  return prices.length === VOLUME_PARTS.size ? { pricePerGbMonth } : undefined;
}

function rowsOfProduct(product: Product, disk: ReadDisk | undefined): LiveRow[] | Rejection | undefined {
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
  const shapes = ociShapes.get(nameOf(displayName));
  if (shapes === undefined) {
    return new Rejection("unknown_gpu", `No documented shape has the GPUs of "${displayName}".`);
  }
  return shapes.map((shape) => {
    const count = Number(/\.(\d+)$/.exec(shape)?.[1]);
    const isVirtual = shape.startsWith("VM.");
    return {
      instanceType: shape,
      region: null,
      // A documented type determines its GPU.
      gpu: { name: "", count },
      priceHourly: price * count,
      isAvailable: false,
      disk: { kind: "unpriced", volume: disk },
      // Processors and memory of virtual machines are products of their own.
      costDataComplete: !isVirtual,
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

/** A product as facts/oci-products.csv names it: of `OCI - Compute - GPU - H100`, `Compute - Bare Metal GPU Standard - X7`. */
function nameOf(displayName: string): string {
  const text = displayName.replaceAll(/\s+/g, " ").replace(/^.*?\bCompute ?- ?/, "");
  return text.replace(/^GPU - /, "").trim();
}
