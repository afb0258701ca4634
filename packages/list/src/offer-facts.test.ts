import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { expect, test } from "vitest";
import { offerFacts } from "./offer-facts.js";

test("details have what the source states, and leave out what it doesn't", () => {
  const offer = exampleOffer();
  const names = offerFacts(offer, {}).map(([name]) => name);
  const stated = {
    instanceType: "1xH100",
    seller: "host",
    verified: false,
    reliability: 0.9834,
    spot: { priceHourly: 0.5, kind: "bid" },
    egressPerGB: 0.004,
  } as const;
  expect(offerFacts(offer, { stated }).filter(([name]) => !names.includes(name))).toEqual([
    ["type", "1xH100"],
    ["seller", "host, not verified"],
    ["reliability", "98.3%"],
    ["spot", "$0.50/h (minimum bid)"],
    ["egress", "$0.004/GB"],
  ]);
  const unknown = { instanceType: null, seller: null, verified: null, reliability: null, spot: null };
  expect(offerFacts(offer, { stated: unknown }).map(([name]) => name)).toEqual(names);
});
