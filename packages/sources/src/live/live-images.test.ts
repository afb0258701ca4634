import { publishedOsImageSchema } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SourceImage } from "../source-item.js";
import { liveImages } from "./live-images.js";
import type { LiveItem } from "./live-source.js";
import { findLiveSource, liveSources } from "./live-sources.js";
import { readBodies, samples } from "./recordings.fixture.js";

const imagesIn = (items: readonly LiveItem[]): SourceImage[] | undefined =>
  items.flatMap((item) => (item.kind === "provider" ? [item.provider] : []))[0]?.images;

/** The parts of an image that are error-prone, on one line. */
function summary({ id, displayName, slug, cudaVersion, hasDocker, isDefault, instanceTypes }: SourceImage): string {
  const facts = [
    cudaVersion === null ? "" : `CUDA ${cudaVersion}`,
    hasDocker ? "Docker" : "",
    isDefault ? "default" : "",
  ];
  const types = instanceTypes === undefined ? [] : [`for ${instanceTypes.join(" ")}`];
  return [`${id} (${slug})`, displayName, ...facts.filter(Boolean), ...types].join(", ");
}

describe("the images of a source", () => {
  const expected: Readonly<Record<string, string[]>> = {
    verda: [
      "ubuntu-24.04 (ubuntu-24.04), ubuntu-24.04, default, for 2H200.141S.88V",
      "ubuntu-24.04-cuda-13.0-open-docker (ubuntu-24.04-cuda-13.0-open-docker), ubuntu-24.04-cuda-13.0-open-docker, CUDA 13.0, Docker, for 2H200.141S.88V",
    ],
    vultr: ["2136 (2136), Debian 12 x64 (bookworm)", "2284 (2284), Ubuntu 24.04 LTS x64, default"],
    linode: ["linode/debian13 (debian13), Debian 13", "linode/ubuntu24.04 (ubuntu24.04), Ubuntu 24.04 LTS, default"],
    lambda: [
      "lambda-stack-24-04 (lambda-stack-24-04), Lambda Stack 24.04, for gpu_1x_gh200 gpu_2x_h100_sxm5",
      "ubuntu-24-04 (ubuntu-24-04), Ubuntu Server 24.04, default, for gpu_2x_h100_sxm5",
    ],
    shadeform: [
      "ubuntu22.04 (ubuntu22.04), ubuntu22.04, default, for A6000x4",
      "ubuntu22.04_cuda12.2_shade_os (ubuntu22.04_cuda12.2_shade_os), ubuntu22.04_cuda12.2_shade_os, CUDA 12.2, for A6000x4",
    ],
    hyperstack: [
      "Ubuntu-Server-22.04-LTS-H200 (Ubuntu-Server-22.04-LTS-H200), Ubuntu Server 22.04 LTS H200, for n3-H200x8",
      "Ubuntu-Server-22.04-LTS-R535-CUDA-12.2-with-Docker (Ubuntu-Server-22.04-LTS-R535-CUDA-12.2-with-Docker), Ubuntu Server 22.04 LTS R535 CUDA 12.2 with Docker, CUDA 12.2, Docker",
      "Ubuntu-Server-24.04-LTS (Ubuntu-Server-24.04-LTS), Ubuntu Server 24.04 LTS, default",
    ],
    primeintellect: [
      "cuda_12_4_pytorch_2_6 (cuda_12_4_pytorch_2_6), cuda_12_4_pytorch_2_6, CUDA 12.4, default, for gpu_8x_a100 x",
      "ubuntu_22_cuda_12 (ubuntu_22_cuda_12), ubuntu_22_cuda_12, CUDA 12, for gpu_8x_a100 x",
    ],
    latitude: ["ubuntu_24_04_x64_lts (ubuntu_24_04_x64_lts), Ubuntu 24.04, default, for g3-l40s-medium"],
    digitalocean: [
      "debian-13-x64 (debian-13-x64), Debian 13 x64",
      "ubuntu-24-04-x64 (ubuntu-24-04-x64), Ubuntu 24.04 (LTS) x64, default",
    ],
    scaleway: [
      "ubuntu_noble (ubuntu_noble), Ubuntu 24.04 Noble Numbat",
      "ubuntu_noble_gpu_os_12 (ubuntu_noble_gpu_os_12), Ubuntu 24.04 Noble GPU OS 12 (Nvidia), default",
    ],
  };

  test.each(liveSources)("$name", async (source) => {
    const images = imagesIn(await readBodies(source, samples[source.name] ?? {}));
    expect(images?.map(summary)).toEqual(expected[source.name]);
  });

  test.each(["vultr", "linode", "lambda", "hyperstack", "digitalocean", "latitude", "scaleway"])(
    "%s are unknown if their response is missing or has another form, and its offers stay",
    async (name) => {
      const source = findLiveSource(name);
      if (source === undefined) {
        throw new Error(`Unknown source ${name}.`);
      }
      const { os: _os, images: _images, operating_systems: _systems, ...bodies } = samples[name] ?? {};
      const whole = await readBodies(source, samples[name] ?? {});
      const offersOf = (items: readonly LiveItem[]) => items.filter(({ kind }) => kind === "offer");
      const without = await readBodies(source, bodies);
      expect(imagesIn(without)).toBeUndefined();
      expect(without.filter(({ kind }) => kind === "note")).toHaveLength(
        whole.filter(({ kind }) => kind === "note").length,
      );
      for (const damaged of [
        { os: { os: "none" }, images: { images: "none", data: 1 }, operating_systems: { data: 1 } },
        { os: "<html>", images: "<html>", operating_systems: "<html>" },
      ]) {
        const items = await readBodies(source, { ...bodies, ...damaged });
        expect(imagesIn(items)).toBeUndefined();
        expect(offersOf(items)).toEqual(offersOf(whole));
        expect(
          items.filter((item) => item.kind === "note" && item.note.startsWith("Images are unknown.")),
        ).toHaveLength(1);
      }
    },
  );
});

describe("an image", () => {
  test.each([
    ["24.04.cuda12.9.docker", "12.9", true],
    ["24.04.cuda13.0.verda-gpuburn", "13.0", false],
    ["jupyter.cuda.12.8", "12.8", false],
    ["ubuntu-22.04-cuda-12.8-open", "12.8", false],
    ["Ubuntu_22.04_CUDA_12_4", "12.4", false],
    ["ubuntu-24.04-nvidia", null, false],
    ["ubuntu-cuda", null, false],
    ["barracuda12", null, false],
    ["ubuntu-no-docker", null, false],
    ["Ubuntu-without-docker", null, false],
    ["dockerless", null, false],
  ])("%s has CUDA %s and Docker: %s", (id, cudaVersion, hasDocker) => {
    expect(liveImages([{ id }])).toMatchObject([{ cudaVersion, hasCuda: cudaVersion !== null, hasDocker }]);
  });

  test("without a usable id or name is left out", () => {
    expect(liveImages([{ id: "" }, { id: "a b" }, { id: "a", name: "\u0007" }, { id: "b", name: "B" }])).toMatchObject([
      { id: "b" },
    ]);
  });

  test("for types without a usable name is left out, and is not for all types", () => {
    expect(
      liveImages([
        { id: "a", instanceTypes: ["\uD800", ""] },
        { id: "b", instanceTypes: ["\uD800", "t"] },
        { id: "c", instanceTypes: [] },
      ]),
    ).toMatchObject([{ id: "b", instanceTypes: ["t"] }]);
  });

  test("that is listed for several types fits them all, and for none in particular fits every type", () => {
    const listed = [
      { id: "a", instanceTypes: ["t2"] },
      { id: "b", instanceTypes: ["t1"] },
      { id: "a", instanceTypes: ["t1"] },
    ];
    expect(liveImages(listed)).toMatchObject([
      { id: "a", instanceTypes: ["t1", "t2"] },
      { id: "b", instanceTypes: ["t1"] },
    ]);
    expect(liveImages([...listed, { id: "a" }])[0]).not.toHaveProperty("instanceTypes");
  });

  test("is the default if it is a plain Ubuntu that fits most types, before newer ones and those in between", () => {
    const defaultOf = (...images: { id: string; instanceTypes?: string[] }[]) =>
      liveImages(images).find(({ isDefault }) => isDefault)?.id;
    expect(defaultOf({ id: "ubuntu-22.04" }, { id: "ubuntu-24.04" }, { id: "ubuntu-25.10" })).toBe("ubuntu-24.04");
    expect(
      defaultOf({ id: "ubuntu-26.04", instanceTypes: ["a"] }, { id: "ubuntu-24.04", instanceTypes: ["a", "b"] }),
    ).toBe("ubuntu-24.04");
    expect(defaultOf({ id: "ubuntu-24.04-cuda-12.8" }, { id: "debian-13" })).toBe("debian-13");
  });

  test("has a slug of its own, and exactly one of all is the default", () => {
    const id = fc.oneof(fc.string(), fc.stringMatching(/^(?:[ab-]\/)?(?:ubuntu-2[24]\.04|a|b|a-b)$/));
    const image = fc.record({
      id,
      name: fc.option(fc.string()),
      instanceTypes: fc.option(fc.array(fc.constantFrom("t", "u")), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(image), (listed) => {
        const images = liveImages(listed);
        for (const { instanceTypes: _types, ...rest } of images) {
          expect(publishedOsImageSchema.parse(rest)).toEqual(rest);
        }
        for (const field of ["id", "slug"] as const) {
          expect(new Set(images.map((one) => one[field])).size).toBe(images.length);
        }
        expect(images.filter(({ isDefault }) => isDefault)).toHaveLength(Math.min(1, images.length));
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});
