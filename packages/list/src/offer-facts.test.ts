import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { UNKNOWN_STORAGE } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { countText } from "./count-text.js";
import { diskSentence, offerFacts } from "./offer-facts.js";
import { stockNote } from "./usual-stock.js";

test("details have what the source states, and leave out what it doesn't", () => {
  const offer = exampleOffer();
  const names = offerFacts(offer, {}).map(([name]) => name);
  const stated = {
    instanceType: "1xH100",
    seller: "host",
    verified: false,
    reliability: 0.9834,
    spot: { priceHourly: 0.5, kind: "bid" },
    spotInterruption: "<5%",
    egressPerGB: 0.004,
    ingressPerGB: 0,
    rentableUntil: "2027-03-01T12:00:00.000Z",
    bootSeconds: { min: 180, max: 300 },
  } as const;
  expect(offerFacts(offer, { stated }).filter(([name]) => !names.includes(name))).toEqual([
    ["type", "1xH100"],
    ["seller", "host, not verified"],
    ["reliability", "98.3%"],
    ["spot", "$0.50/h (minimum bid)"],
    ["taken back", "<5% of spot instances a month"],
    ["egress", "$0.004/GB"],
    ["ingress", "$0.00/GB"],
    ["until", "2027-03-01 12:00 UTC"],
    ["boots in", "180-300 s"],
  ]);
  // Seen once, so for no time
  const seen = { stock14d: { observedHours: 0, inStockHours: 0, lastInStockAt: "2026-11-26T12:00:00.000Z" } };
  expect(offerFacts(offer, { stated: seen, nowMs: Date.UTC(2026, 10, 26, 12, 3) })).toContainEqual([
    "14 days",
    "last in stock 3 min ago",
  ]);
  const unknown = { instanceType: null, seller: null, verified: null, reliability: null, spot: null };
  expect(offerFacts(offer, { stated: unknown }).map(([name]) => name)).toEqual(names);
});

test("a row says its availability unless it is listed, or as most are", () => {
  const notes = [
    ["in_stock", "listed"],
    ["sold_out", "unknown"],
    ["unknown", "in_stock"],
    ["listed", "unknown"],
    ["in_stock", "in_stock"],
  ].map(([word, usual = ""]) => stockNote(word, { word: usual }));
  expect(notes).toEqual([" · in stock", " · sold out", " · stock unknown", "", ""]);
});

test("a disk of unknown size has the price of what can be added", () => {
  const storage = { ...UNKNOWN_STORAGE, pricePerGbMonth: 0.2, product: "Filesystem" };
  const sentence = (disk: object) => diskSentence({ ...exampleOffer(), ...disk });
  expect(sentence({ storage })).toBe("unknown, more at $0.2/GB-month (Filesystem)");
  expect(sentence({ storage: UNKNOWN_STORAGE })).toBe("unknown");
});

test("the cost of the hours is exact, with at least two decimals", () => {
  const textFor = (priceHourly: number, hours: number): string | undefined =>
    new Map(offerFacts(exampleOffer({ priceHourly, storageMinGB: 0 }), { hours })).get(`${countText(hours)} h`);
  expect([textFor(1.7885, 168), textFor(2, 1000), textFor(0.123457, 1)]).toEqual([
    "$300.468",
    "$2,000.00",
    "$0.123457",
  ]);
});
