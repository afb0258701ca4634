import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  imageSystem,
  LISTING_FILTER_NAMES,
  readParameter,
  UNKNOWN_LISTING_FACTS,
  type ListedOffer,
  type ListingParameterName,
  type ListingQuery,
  type OsImage,
} from "@gpu-offers/domain";
import { chipOf } from "@gpu-offers/list";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import { nativeDocument, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { describe, expect, test } from "vitest";
import { shownFacets, type FacetRow } from "../src/picker/facet-rows.ts";
import { DrivenPicker } from "./driven-picker.ts";
import { offerAt } from "./offers.ts";
import { openShell } from "./picker-shell.ts";
import { HAS_TMUX, IN_TMUX } from "./tmux.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

// Every filter that the picker can be given is seen there as a chip and among the facets, counted, and cleared: alone and
// with all others.

/** Two offers that every filter below tells apart. */
const OFFERS: readonly ListedOffer[] = [
  Object.assign(
    offerAt(0, {
      gpu: { name: "H200", slug: "h200-sxm", vramGB: 141, architecture: "Hopper" },
      provider: { name: "beta", slug: "beta" },
      gpuCount: 4,
      priceHourly: 8,
      region: "tokyo-1",
      regionInfo: { countryCode: "JP", countryName: "Japan", cityState: "Tokyo", continent: "Asia" },
      specs: { vcpu: 128, ram: 1024, disk: 0 },
      deploymentType: "container",
      nvlinkEnabled: true,
      interconnect: "InfiniBand",
      isAvailable: true,
    }),
    {
      listing: {
        ...UNKNOWN_LISTING_FACTS,
        instanceType: "big",
        seller: "cloud",
        verified: true,
        spot: { priceHourly: 2, kind: "price" },
      },
    },
  ),
  offerAt(3, { gpuCount: 1, priceHourly: 0.9, isAvailable: false, storageMinGB: 10, storageMaxGB: 100 }),
];

const UBUNTU = exampleImage({ id: "u22", displayName: "Ubuntu 22.04", hasCuda: true, cudaVersion: "12.4" });
const IMAGES = new Map<string, readonly OsImage[]>([
  ["beta", [UBUNTU]],
  ["alpha", []],
]);

const VALUES: Readonly<Partial<Record<ListingParameterName, string>>> = {
  q: "h200",
  gpu: "=h200-sxm",
  provider: "beta",
  continent: "Asia",
  country: "JP",
  region: "tokyo-1",
  min_gpu_count: "2",
  max_gpu_count: "2",
  min_vram: "100",
  min_total_vram: "300",
  min_ram: "512",
  min_vcpu: "64",
  min_bandwidth: "4000",
  nvlink: "true",
  interconnect: "infiniband",
  available: "true",
  verified: "true",
  seller: "cloud",
  deployment_type: "container",
  instance_type: "big",
  image: "u22",
  os: imageSystem(UBUNTU) ?? "",
  cuda: "12",
  spot: "true",
  max_price: "1",
  max_hourly: "1",
  max_total: "2",
  disk: "500",
  hours: "3",
  budget: "1",
  fits: "70b",
};

/** What a filter needs beside it to have an effect. */
const WITH: Readonly<Partial<Record<ListingParameterName, ListingQuery>>> = { hours: { budget: 20 } };

function valueOf(name: ListingParameterName): unknown {
  const read = readParameter(name, VALUES[name] ?? "");
  return read.ok ? read.value : undefined;
}

/** A picker that was started with a filter. */
const startedWith = (name: ListingParameterName): DrivenPicker =>
  new DrivenPicker([...OFFERS], {
    columns: 180,
    rows: 60,
    query: { ...WITH[name], [name]: valueOf(name) },
    knownImages: IMAGES,
  });

const isSet = (row: FacetRow): boolean => ("text" in row ? row.text !== "" : row.isSet);

const countOf = ({ state }: DrivenPicker): number => state.view.offers.length;

test("words are cleared with Esc", () => {
  expect(countOf(startedWith("q").press("Esc"))).toBe(2);
});

test("every filter has a value here", () => {
  expect(LISTING_FILTER_NAMES.filter((name) => valueOf(name) === undefined)).toEqual([]);
});

describe.each(LISTING_FILTER_NAMES)("a picker started with %s", (name) => {
  test("shows it as a chip, with the number of offers that it leaves", async () => {
    const { state } = startedWith(name);
    const screen = new VirtualScreen(180, 60);
    await screen.show(state);
    const [header, filters] = screen.rows();
    screen.close();
    expect(header).toContain(" 1 of 2 offers ");
    expect(filters).toContain(name === "q" ? "/ h200" : chipOf(name, state.query));
  });

  test.skipIf(name === "q")("has it among the facets, where it is cleared alone", () => {
    const driven = startedWith(name).press("f");
    const rows = shownFacets(driven.state);
    const place = rows.findIndex((row) => row.name === name && isSet(row));
    const row = rows[place];
    expect(row).toBeDefined();
    expect(row?.kind === "value" ? (row.count ?? 1) : 1).toBe(1);
    driven.press(
      ...Array.from({ length: place }, () => "Down"),
      row?.kind === "value" || row?.kind === "switch" ? "Enter" : "Ctrl-U",
    );
    expect(driven.state.query).toMatchObject({ [name]: undefined });
    // Of a choice, the default is set then.
    const set = shownFacets(driven.state).filter((other) => other.name === name && isSet(other));
    expect(set).toHaveLength(name === "verified" || name === "spot" ? 1 : 0);
    expect(countOf(driven)).toBe(2);
  });

  test("loses it with all others when x is pressed", () => {
    const driven = startedWith(name).press("x");
    expect(LISTING_FILTER_NAMES.filter((other) => driven.state.query[other] !== undefined)).toEqual([]);
    expect(countOf(driven)).toBe(2);
  });
});

test.skipIf(!HAS_TMUX)(`filters of the command line are chips and facets, and x clears them ${IN_TMUX}`, async () => {
  const { shell, folder, start } = openShell({});
  const spot = { priceHourly: 1, kind: "price" } as const;
  const rows = [
    nativeRow({ instanceType: "a", listing: { instanceType: "a", seller: "cloud", spot } }),
    nativeRow({ instanceType: "b", gpu: "l40s", listing: { instanceType: "b", seller: "host" } }),
  ];
  writeFileSync(join(folder, "catalog.json"), nativeDocument(rows));
  start("--catalog catalog.json --seller cloud --spot true --fits 7b --min-bandwidth 2000");
  const started = await shell.sees(/1 of 2 offers/);
  expect(started).toMatch(/memory ≥2000 GB\/s {2}seller cloud {2}spot {2}fits 7b/);
  expect(started).toContain(" 1.000 ");
  shell.type("f");
  await shell.sees(/Facets/);
  shell.press("Escape");
  await shell.sees(/ 1 of 1/);
  shell.type("x");
  expect(await shell.sees(/ gpu-offers {3}2 offers/)).not.toContain("seller cloud");
  shell.press("C-c");
  await shell.sees(/ended 130/);
});
