import { describe, expect, test } from "vitest";
import { cudaVersions, imageSystem, matchesImage, providersWithImage, type WantedImage } from "./image-filter.js";
import type { OsImage } from "./os-image-schema.js";

const named = (displayName: string, cudaVersion: string | null = null): OsImage => ({
  id: displayName.toLowerCase().replaceAll(/[^a-z\d.]+/g, "-"),
  slug: displayName.toLowerCase().replaceAll(/[^a-z\d]+/g, "_"),
  displayName,
  hasCuda: cudaVersion !== null,
  cudaVersion,
  hasDocker: false,
  isDefault: false,
});

describe("the system of an image", () => {
  test.each([
    ["Ubuntu 22.04", "ubuntu-22.04"],
    ["Ubuntu Server 22.04 LTS, driver 570, CUDA 12.8, Docker", "ubuntu-22.04"],
    ["Ubuntu-HPC 22.04, ROCm 6.4", "ubuntu-22.04"],
    ["PyTorch 2.8 on Ubuntu 24.04, CUDA 12.8", "ubuntu-24.04"],
    ["Oracle Linux 8.10 GPU, CUDA 12.8", "oracle-linux-8.10"],
    ["Windows Server 2022", "windows-server-2022"],
    ["Debian12", "debian-12"],
    ["Base image, CUDA 12.4", undefined],
    ["Ubuntu, CUDA 12", undefined],
    ["Ubuntu CUDA 12", undefined],
  ])("%s is %s, which finds it", (displayName, system) => {
    const image = named(displayName);
    expect(imageSystem(image)).toBe(system);
    expect(system === undefined || matchesImage(image, { os: system })).toBe(true);
  });
});

describe("an image", () => {
  const image = named("Ubuntu Server 22.04 LTS, CUDA 12.8, Docker", "12.8");

  test("does not match words that are longer than any name", () => {
    expect(matchesImage(image, { os: "a".repeat(100_000) })).toBe(false);
    expect(matchesImage(image, { os: "ubuntu-22 ".repeat(10_000) })).toBe(false);
  });

  test.each<[boolean, WantedImage]>([
    [true, {}],
    [true, { os: "ubuntu-22.04" }],
    [true, { os: "Ubuntu 22.04" }],
    [true, { os: "ubuntu" }],
    [false, { os: "ubuntu-22.0" }],
    [false, { os: "ubuntu-12" }],
    [false, { os: "ubuntu-2" }],
    [false, { os: "22.04.1" }],
    [true, { cuda: "12" }],
    [true, { cuda: "12.8" }],
    [false, { cuda: "12.4" }],
    [false, { cuda: "1" }],
    [true, { os: "ubuntu", cuda: "12" }],
    [false, { os: "debian", cuda: "12" }],
    [true, { image: image.id.toUpperCase() }],
    [true, { image: image.slug }],
    [false, { image: "other" }],
  ])("matches (%s) %j", (isMatch, wanted) => {
    expect(matchesImage(image, wanted)).toBe(isMatch);
  });

  test("is filtered by a major CUDA version or by an exact one", () => {
    expect(cudaVersions(image)).toEqual(["12", "12.8"]);
    expect(cudaVersions(named("Ubuntu 22.04"))).toEqual([]);
    expect(cudaVersions(named("Ubuntu 22.04", "13"))).toEqual(["13"]);
  });

  test("matches a provider if a single image meets all conditions", () => {
    const providers: [string, OsImage[]][] = [
      ["both", [image]],
      ["apart", [named("Ubuntu 22.04"), named("Debian 12", "12.8")]],
      ["none", []],
    ];
    expect(providersWithImage(providers, { os: "ubuntu-22.04", cuda: "12" })).toEqual(["both"]);
  });
});
