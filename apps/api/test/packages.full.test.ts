import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { productionPackages } from "./packages.ts";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

/** The environment of a program that can only load these packages. */
function onlyPackages(packages: readonly string[]): Record<string, string> {
  const list = join(tempFolder(), "packages.json");
  writeFileSync(list, JSON.stringify(packages));
  return { NODE_OPTIONS: `--import=${new URL("./hidden-modules.ts", import.meta.url).href}`, SHIPPED_PACKAGES: list };
}

test("the service loads only deployed packages, on every route", async () => {
  const service = await startService({
    settings: {
      ...onlyPackages([...productionPackages()]),
      LOG_FORMAT: "pretty",
      CORS_ORIGINS: "*",
      RATE_LIMIT: "1000",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    },
  });
  const { operations } = await publishedDocument(service);
  const paths = [...operations.keys()].map((path) => path.replace("{id}", "none").replace("{provider}", "aws"));
  for (const path of [...paths, "/docs", "/docs/swagger-ui-bundle.js", "/nothing", "/%zz"]) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      expect((await fetchFrom(service, path, { method })).status).toBeLessThan(500);
    }
  }
  const { code, stdout } = await service.stop();
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("is not shipped")]);
});
