import { expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { onlyPackages, productionPackages } from "./packages.ts";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService } from "@gpu-offers/testkit/service";

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
