import * as fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryListing, exampleOffer } from "../offer.fixture.js";
import { rentPages } from "./rent-pages.facts.js";
import { rentUrl } from "./rent-url.js";

const facts = { instanceType: "gpu-h100x8-640gb", providerOfferId: "ebd/fdb" };

function urlOf(provider: string, region: string, known: Partial<typeof facts> = facts): string | null {
  const offer = exampleOffer({ provider: { name: provider, slug: provider }, region });
  return rentUrl(offer, () => ({ instanceType: null, providerOfferId: null, ...known }));
}

test("the page of the offer itself, where its provider has such pages", () => {
  expect([
    urlOf("digitalocean", "nyc2"),
    urlOf("aws", "us-east-1/use1-az2"),
    urlOf("lium", "US"),
    urlOf("runpod", "US-KS-2"),
  ]).toEqual([
    "https://cloud.digitalocean.com/gpus/new?region=nyc2&size=gpu-h100x8-640gb",
    "https://console.aws.amazon.com/ec2/home?region=us-east-1#LaunchInstances:",
    "https://lium.io/browse-pods/ebd%2Ffdb",
    "https://console.runpod.io/deploy",
  ]);
});

test("the provider's page if the offer's is unknown, and none for an unknown provider", () => {
  expect([
    urlOf("digitalocean", "nyc2", {}),
    urlOf("lium", "US", {}),
    urlOf("aws", "unknown"),
    urlOf("nobody", "x"),
  ]).toEqual([
    "https://cloud.digitalocean.com/gpus/new",
    "https://lium.io/browse-pods",
    "https://console.aws.amazon.com/ec2/home#LaunchInstances:",
    null,
  ]);
});

test("no text of a catalog leaves the provider's page", () => {
  const providers = [...rentPages].filter(([, [, offer]]) => offer !== null);
  fc.assert(
    fc.property(fc.constantFrom(...providers), arbitraryListing, fc.string(), ([name, [page]], { offer }, hostile) => {
      const named = { ...offer, provider: { ...offer.provider, name }, region: hostile };
      const url = new URL(rentUrl(named, () => ({ instanceType: hostile, providerOfferId: hostile })) ?? "");
      expect(url.origin).toBe(new URL(page).origin);
      expect(url.href).toMatch(/^[!-~]+$/);
    }),
  );
});
