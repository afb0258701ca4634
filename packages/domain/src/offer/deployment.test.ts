import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDisk, composeDeployment, deploymentSchema, hourlyCost, isDiskFixed, type OsImage } from "../index.js";
import { arbitraryDisk, arbitraryOffer, arbitraryTerms, exampleImage, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

const images: OsImage[] = [
  exampleImage({ id: "ubuntu-24.04", isDefault: true }),
  exampleImage({ id: "ubuntu-22.04-cuda-12.4", isDefault: false }),
];
const fixed = { storageCostPerGB: 0, storageMinGB: 200, storageMaxGB: 200 };

describe("a deployment", () => {
  test("is only the provider if image and disk are omitted and the disk is fixed", () => {
    expect(composeDeployment({ offer: exampleOffer(fixed), images })).toEqual({
      ok: true,
      deployment: { provider: "hyperstack" },
      hourly: "1.9000",
      isAtLeast: false,
    });
  });

  test("omits a fixed disk even if it was chosen", () => {
    expect(composeDeployment({ offer: exampleOffer(fixed), images, diskGb: 200 })).toMatchObject({
      deployment: { provider: "hyperstack" },
    });
  });

  test("contains the chosen image and disk", () => {
    expect(
      composeDeployment({ offer: exampleOffer(), images, osImageId: "ubuntu-22.04-cuda-12.4", diskGb: 500 }),
    ).toEqual({
      ok: true,
      deployment: { provider: "hyperstack", os_image_id: "ubuntu-22.04-cuda-12.4", disk_gb: 500 },
      hourly: "1.9700",
      isAtLeast: false,
    });
  });

  test("is possible without an image if the provider lists none", () => {
    expect(composeDeployment({ offer: exampleOffer(fixed), images: [] }).ok).toBe(true);
  });

  test("costs at least its price if cost data is incomplete", () => {
    expect(composeDeployment({ offer: exampleOffer({ ...fixed, costDataComplete: false }), images })).toMatchObject({
      hourly: "1.9000",
      isAtLeast: true,
    });
  });

  test("is rejected with every problem at once", () => {
    expect(
      composeDeployment({ offer: exampleOffer({ isAvailable: false }), images, osImageId: "windows", diskGb: 10 }),
    ).toEqual({
      ok: false,
      problems: [
        { field: "offer", reason: "The offer is sold out." },
        {
          field: "os_image_id",
          reason: 'hyperstack has no image "windows"; it has ubuntu-24.04, ubuntu-22.04-cuda-12.4.',
        },
        { field: "disk_gb", reason: "disk_gb must be a whole number from 50 to 2000, not 10." },
      ],
    });
    expect(composeDeployment({ offer: exampleOffer(fixed), images: [], osImageId: "windows" })).toEqual({
      ok: false,
      problems: [{ field: "os_image_id", reason: 'hyperstack has no image "windows"; it has none.' }],
    });
  });

  const choices = fc
    .tuple(arbitraryOffer, arbitraryTerms, fc.constantFrom(undefined, "ubuntu-24.04", "windows"), arbitraryDisk)
    .map(([offer, terms, osImageId, diskGb]) => ({ offer: Object.assign(offer, terms), images, osImageId, diskGb }));

  test("is rejected for exactly the invalid parts", () => {
    fc.assert(
      fc.property(choices, (choice) => {
        const result = composeDeployment(choice);
        expect(result.ok ? [] : result.problems.map(({ field }) => field)).toEqual([
          ...(choice.offer.isAvailable ? [] : ["offer"]),
          ...(choice.osImageId === "windows" ? ["os_image_id"] : []),
          ...(checkDisk(choice.offer, choice.diskGb).ok ? [] : ["disk_gb"]),
        ]);
      }),
      { seed, numRuns: 500 },
    );
  });

  test("always matches its schema and the storage rule", () => {
    fc.assert(
      fc.property(choices, ({ offer, osImageId, diskGb }) => {
        const result = composeDeployment({ offer, images, osImageId, diskGb });
        fc.pre(result.ok);
        expect(deploymentSchema.parse(result.deployment)).toEqual({
          provider: offer.provider.name,
          os_image_id: osImageId,
          disk_gb: isDiskFixed(offer) ? undefined : diskGb,
        });
        expect(checkDisk(offer, result.deployment.disk_gb).ok).toBe(true);
        expect(result.hourly).toBe(hourlyCost(offer, diskGb ?? offer.storageMinGB));
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("the schema of a deployment", () => {
  test("accepts a provider, and optionally an image and a disk", () => {
    for (const deployment of [
      { provider: "a", os_image_id: "b", disk_gb: 0 },
      { provider: "hyperstack" },
      { provider: "hyperstack", os_image_id: "ubuntu-24.04", disk_gb: 500 },
    ]) {
      expect(deploymentSchema.parse(deployment)).toEqual(deployment);
    }
  });

  test.each([
    ["no provider", {}],
    ["an empty provider", { provider: "" }],
    ["an empty image", { provider: "hyperstack", os_image_id: "" }],
    ["null instead of no image", { provider: "hyperstack", os_image_id: null }],
    ["a fraction of a GB", { provider: "hyperstack", disk_gb: 0.5 }],
    ["a negative disk", { provider: "hyperstack", disk_gb: -1 }],
    ["a disk as text", { provider: "hyperstack", disk_gb: "500" }],
    ["a misspelled field", { provider: "hyperstack", diskGb: 500 }],
  ])("rejects %s", (_, deployment) => {
    expect(deploymentSchema.safeParse(deployment).success).toBe(false);
  });
});

test("the deployment schema is published under its name", () => {
  expect(deploymentSchema.meta()).toMatchObject({ id: "Deployment" });
});

test("a deployment only has chosen members", () => {
  const result = composeDeployment({ offer: exampleOffer({ ...fixed }), images });
  expect(result).toMatchObject({ ok: true });
  expect(Object.keys((result as { deployment: object }).deployment)).toEqual(["provider"]);
});

test("a deployment has an image that its instance type can boot", () => {
  const restricted = [
    { ...exampleImage(), instanceTypes: ["n3-H100x1"] },
    exampleImage({ id: "debian-12", slug: "debian-12", isDefault: false }),
  ];
  const choice = { offer: exampleOffer(), images: restricted, diskGb: 50, osImageId: "ubuntu-24.04" };
  expect(composeDeployment({ ...choice, instanceType: "n3-H100x1" }).ok).toBe(true);
  expect(composeDeployment(choice).ok).toBe(true);
  expect(composeDeployment({ ...choice, instanceType: "n3-H100x2" })).toEqual({
    ok: false,
    problems: [
      {
        field: "os_image_id",
        reason: 'The image "ubuntu-24.04" is not for n3-H100x2; it can boot debian-12.',
      },
    ],
  });
});
