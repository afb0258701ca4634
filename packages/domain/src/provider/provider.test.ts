import { describe, expect, test } from "vitest";
import {
  PROVIDER_TYPES,
  providerListSchema,
  providerNameSchema,
  providerSchema,
  publishedProviderSchema,
} from "../index.js";

describe("a provider for readers", () => {
  test("may have any name and any type, and drops unknown fields", () => {
    for (const provider of [
      { name: "hyperstack", type: "vm" },
      { name: "Some Provider", type: "kubernetes" },
    ]) {
      expect(providerSchema.parse({ ...provider, logo: "x" })).toEqual(provider);
      expect(providerListSchema.parse({ data: [provider], next: null })).toEqual({ data: [provider] });
    }
    expect(providerListSchema.parse({ data: [] })).toEqual({ data: [] });
  });

  test.each([{}, { name: "hyperstack" }, { type: "vm" }, { name: 1, type: "vm" }, { name: "x", type: null }])(
    "is not %j",
    (provider) => {
      expect(providerSchema.safeParse(provider).success).toBe(false);
      expect(providerListSchema.safeParse({ data: [provider] }).success).toBe(false);
    },
  );

  test("comes in a list that is wrapped in data", () => {
    expect(providerListSchema.safeParse([]).success).toBe(false);
    expect(providerListSchema.safeParse({ providers: [] }).success).toBe(false);
  });
});

describe("a provider for publishing", () => {
  test.each(PROVIDER_TYPES)("may be of type %s", (type) => {
    expect(publishedProviderSchema.safeParse({ name: "hyperstack", type }).success).toBe(true);
  });

  test.each([
    { name: "hyperstack", type: "kubernetes" },
    { name: "Hyperstack", type: "vm" },
    { name: "hyperstack", type: "vm", logo: "x" },
  ])("is not %j", (provider) => {
    expect(publishedProviderSchema.safeParse(provider).success).toBe(false);
  });

  test.each(["aws", "do", "fluidstack", "vast.ai", "lambda-cloud", "3dstack", "a".repeat(64)])(
    "may be named %s",
    (name) => {
      expect(providerNameSchema.parse(name)).toBe(name);
      expect(encodeURIComponent(name)).toBe(name);
    },
  );

  test.each(["", "AWS", "a b", "a/b", "..", ".", "-a", "a-", "a--b", "a..b", "a_b", "%2f", "é", "a\n", "a".repeat(65)])(
    "is not named %j",
    (name) => {
      expect(providerNameSchema.safeParse(name).success).toBe(false);
    },
  );
});
