import { readFileSync } from "node:fs";
import { findGpuModel, type Offer } from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import { findInstanceType, locate, readNative, type SourceImage, type SourceItem } from "@gpu-offers/sources";
import { describe, expect, test } from "vitest";
import * as z from "zod";

const text = readFileSync(new URL("../catalog/starter.json", import.meta.url), "utf8");
const rows = z
  .looseObject({ offers: z.array(z.looseObject({ provider: z.string(), instanceType: z.string() })) })
  .parse(JSON.parse(text)).offers;

const items: SourceItem[] = [];
for await (const item of readNative(new Blob([text]).stream())) {
  items.push(item);
}
const offers: Offer[] = items.flatMap((item) => (item.kind === "offer" ? [item.offer] : []));
const images: SourceImage[] = items.flatMap((item) => (item.kind === "provider" ? (item.provider.images ?? []) : []));

describe("the starter catalog", () => {
  test("has no rejected offers", () => {
    expect(items.filter(({ kind }) => kind === "rejection")).toEqual([]);
    expect(offers).toHaveLength(rows.length);
  });

  test("has a page to rent each offer on", () => {
    const listings = items.flatMap((item) => (item.kind === "offer" ? [item] : []));
    const without = listings.filter(({ offer, listing }) => rentUrl(offer, () => listing) === null);
    expect(without.map(({ offer }) => offer.provider.name)).toEqual([]);
  });

  test("agrees with the tables of instance types", () => {
    const compared = rows.flatMap(({ provider, instanceType }, index) => {
      const offer = offers[index];
      const documented = findInstanceType(provider, instanceType);
      if (documented === undefined || offer === undefined) {
        return [];
      }
      const { gpu, gpuCount, nvlink, interconnect } = documented;
      // Networks are compared if both state one.
      // An offer only claims NVLink if a page documents it.
      const nvlinkEnabled = gpuCount > 1 && (nvlink ?? findGpuModel(gpu)?.nvlink ?? false);
      const name = `${provider} ${instanceType}`;
      const own = {
        gpuCount: offer.gpuCount,
        interconnect: interconnect && (offer.interconnect ?? interconnect),
        nvlinkEnabled: offer.nvlinkEnabled,
      };
      return [
        { own: { name, gpu: offer.gpu.slug, ...own }, facts: { name, gpu, gpuCount, interconnect, nvlinkEnabled } },
      ];
    });
    expect(compared.map(({ own }) => own)).toEqual(compared.map(({ facts }) => facts));
    expect(compared.length).toBeGreaterThan(150);
  });

  test("agrees with the tables of GPU models and regions", () => {
    const known = offers.map(({ gpu }) => [gpu.slug, findGpuModel(gpu.slug)?.vramGb]);
    expect(offers.map(({ gpu }) => [gpu.slug, gpu.vramGB])).toEqual(known);
    const places = offers.map(({ provider, region, regionInfo }) => {
      const located = locate({ provider: provider.name, region }).countryCode;
      return { name: `${provider.name} ${region}`, own: regionInfo.countryCode, located };
    });
    expect(places.filter(({ own }) => own === "ZZ")).toEqual([]);
    expect(places.filter(({ own, located }) => located !== "ZZ" && located !== own)).toEqual([]);
  });

  test("has the current models that clouds offer", () => {
    const slugs = new Set(offers.map(({ gpu }) => gpu.slug));
    const current =
      "b300 gb200 b200 h200-sxm h100-sxm gh200-96gb rtx-pro-6000-server l40s l4 rtx-5090 mi300x mi325x".split(" ");
    expect(current.filter((slug) => !slugs.has(slug))).toEqual([]);
  });

  test("has only images that a page of the provider names, and images.csv has each with its page", () => {
    const pages = readFileSync(new URL("../catalog/images.csv", import.meta.url), "utf8");
    const documented = [...pages.matchAll(/^([^,\n]+),([^,\n]+),(?:"[^"]+"|[^,"]+),https:\/\/\S+$/gm)];
    const own = items.flatMap((item) =>
      item.kind === "provider" ? (item.provider.images ?? []).map(({ id }) => [item.provider.name, id]) : [],
    );
    expect(own).toEqual(documented.map(([, provider, id]) => [provider, id]));
    expect(own.length).toBeGreaterThan(10);
    expect(text).not.toContain("(example)");
  });

  test("states CUDA and Docker of images as their names do", () => {
    const named = images.map(({ id, cudaVersion, hasDocker }) => [
      id,
      cudaVersion,
      hasDocker || !/docker/.test(id),
      /cu(?:da)?-?(\d{2})\.?(\d)(\.?\d)?(?!\d)/.exec(id)?.slice(1, 3).join(".") ?? null,
    ]);
    expect(
      named.map(([id, cuda, docker]) => [id, cuda?.toString().split(".").slice(0, 2).join(".") ?? null, docker]),
    ).toEqual(named.map(([id, , , stated]) => [id, stated, true]));
  });

  test("restricts images to its own types", () => {
    const types = new Set(rows.map(({ instanceType }) => instanceType));
    expect(images.flatMap(({ instanceTypes = [] }) => instanceTypes).filter((type) => !types.has(type))).toEqual([]);
  });
});
