import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { findPackageCommand } from "@gpu-offers/testkit/package-command";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startService } from "@gpu-offers/testkit/service";
import { expect, test } from "vitest";

// The OpenAPI document, checked by linters that are installed only for this test.

const redocly = findPackageCommand("@redocly/cli@2.77.0", "redocly");

test.skipIf(redocly === undefined)("Redocly's strictest rules pass (skipped if it cannot be installed)", async () => {
  const document = await publishedDocument(await startService());
  const file = tempFile("openapi.json", JSON.stringify(document.raw));
  const config = tempFile("redocly.yaml", "extends: [recommended-strict]\ntelemetry: off\n");
  const ended = await redocly?.run("lint", file, "--config", config, "--format", "json");
  expect(JSON.parse(ended?.stdout ?? "")).toMatchObject({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  });
  expect(ended?.code).toBe(0);
});

const spectral = findPackageCommand("@stoplight/spectral-cli@6.16.3", "spectral");

test.skipIf(spectral === undefined)(
  "Spectral's rules for OpenAPI pass, hints included (skipped if it cannot be installed)",
  async () => {
    const document = await publishedDocument(await startService());
    const file = tempFile("openapi.json", JSON.stringify(document.raw));
    const ruleset = tempFile("spectral.yaml", "extends: [spectral:oas]\n");
    const ended = await spectral?.run(
      "lint",
      file,
      "--ruleset",
      ruleset,
      "--fail-severity",
      "hint",
      "--format",
      "json",
      "--quiet",
    );
    expect([ended?.code, ended?.stdout.trim()]).toEqual([0, "[]"]);
  },
);
