import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareOsImages,
  defaultOsImage,
  IMAGE_LIST_LIFETIME_SECONDS,
  imageFits,
  osImageListSchema,
  osImageSchema,
  publishedOsImageSchema,
} from "../index.js";
import { exampleImage } from "../offer.fixture.js";

const cuda = exampleImage({ id: "cuda-12", hasCuda: true, cudaVersion: "12.4", isDefault: false });

describe("an image for readers", () => {
  test("may have CUDA or not, and drops unknown fields", () => {
    for (const image of [exampleImage(), cuda, exampleImage({ id: "", hasCuda: true, displayName: "", slug: "A B" })]) {
      expect(osImageSchema.parse({ ...image, sizeGB: 12 })).toEqual(image);
      expect(osImageListSchema.parse({ data: [image] })).toEqual({ data: [image] });
    }
    expect(osImageListSchema.parse({ data: [] })).toEqual({ data: [] });
  });

  test.each(Object.keys(osImageSchema.shape))("requires %s, with its type", (field) => {
    expect(osImageSchema.safeParse({ ...cuda, [field]: undefined }).success).toBe(false);
    expect(osImageSchema.safeParse({ ...cuda, [field]: 1 }).success).toBe(false);
    expect(osImageSchema.safeParse({ ...cuda, [field]: null }).success).toBe(field === "cudaVersion");
  });

  test("has the API's fields", () => {
    const fields = ["id", "displayName", "slug", "hasCuda", "cudaVersion", "hasDocker", "isDefault"];
    expect(Object.keys(osImageSchema.shape)).toEqual(fields);
    expect(osImageListSchema.safeParse([exampleImage()]).success).toBe(false);
  });

  test("may be cached for an hour", () => {
    expect(IMAGE_LIST_LIFETIME_SECONDS).toBe(3600);
  });
});

describe("an image for publishing", () => {
  test("has a CUDA version if and only if it has CUDA", () => {
    expect(publishedOsImageSchema.parse(exampleImage())).toEqual(exampleImage());
    expect(publishedOsImageSchema.parse(cuda)).toEqual(cuda);
    const short = { ...cuda, displayName: "U", cudaVersion: "9" };
    expect(publishedOsImageSchema.parse(short)).toEqual(short);
    for (const change of [{ hasCuda: false }, { cudaVersion: null }]) {
      const [issue] = publishedOsImageSchema.safeParse({ ...cuda, ...change }).error?.issues ?? [];
      expect(issue).toMatchObject({
        path: ["cudaVersion"],
        message: "must be a version when hasCuda is true and null otherwise",
      });
    }
  });

  test.each([
    { id: "" },
    { id: "-ubuntu" },
    { id: "ubuntu 24" },
    { id: "/ubuntu" },
    { id: "linode//ubuntu" },
    { id: "linode/" },
    { slug: "linode/ubuntu" },
    { id: "a".repeat(129) },
    { slug: "ubuntu\n" },
    { displayName: "" },
    { displayName: "a".repeat(201) },
    { displayName: "Ubuntu\u001b[31m" },
    { cudaVersion: "" },
    { cudaVersion: "12\n4" },
    { sizeGB: 12 },
  ])("rejects %j", (change) => {
    expect(publishedOsImageSchema.safeParse({ ...cuda, ...change }).success).toBe(false);
  });

  test("accepts an id of letters, digits and common separators, and a path", () => {
    for (const id of [`ami-0.1:x_Y${"z".repeat(117)}`, "linode/ubuntu24.04", "resolve:ssm:/aws/service/ami-id"]) {
      expect(publishedOsImageSchema.parse({ ...cuda, id }).id).toBe(id);
    }
  });
});

describe("the order of images", () => {
  test("is the default one, then the display names, then the ids", () => {
    const images = [
      exampleImage({ id: "1", displayName: "B", isDefault: false }),
      exampleImage({ id: "3", displayName: "A", isDefault: false }),
      exampleImage({ id: "2", displayName: "A", isDefault: false }),
      exampleImage({ id: "4", displayName: "Z", isDefault: true }),
    ];
    expect(images.toSorted(compareOsImages).map(({ id }) => id)).toEqual(["4", "2", "3", "1"]);
  });

  test("is total over images with different ids", () => {
    const arbitraryImage = fc
      .tuple(fc.constantFrom("1", "2", "3"), fc.constantFrom("A", "B"), fc.boolean())
      .map(([id, displayName, isDefault]) => exampleImage({ id, displayName, isDefault }));
    fc.assert(
      fc.property(fc.uniqueArray(arbitraryImage, { selector: ({ id }) => id }), (images) => {
        const sorted = images.toSorted(compareOsImages);
        expect(images.toReversed().sort(compareOsImages)).toEqual(sorted);
        expect(images.every((image) => compareOsImages(image, image) === 0)).toBe(true);
      }),
      { seed: 20_261_120 },
    );
  });
});

describe("an instance type", () => {
  test.each([
    [undefined, undefined, true],
    [undefined, "n3", true],
    [[], "n3", true],
    [["n3"], undefined, true],
    [["n2", "n3"], "n3", true],
    [["n2"], "n3", false],
    [["n3"], "N3", false],
    [["n3"], "", false],
  ])("restricted to %j fits %j: %s", (instanceTypes, instanceType, fits) => {
    expect(imageFits(instanceTypes, instanceType)).toBe(fits);
  });
});

describe("the default image", () => {
  test("is the one marked as default, if any", () => {
    expect(defaultOsImage([cuda, exampleImage()])).toEqual(exampleImage());
    expect(defaultOsImage([cuda])).toBe(undefined);
    expect(defaultOsImage([])).toBe(undefined);
  });
});
