import type { Command } from "commander";
import * as z from "zod";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { printDone } from "./output.js";
import { createEngine, getLiveSource } from "./source-tools.js";

const sourceAcceptJson = z.strictObject({
  source: z.string(),
  outcome: z.enum(["imported", "unchanged", "rejected"]),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  revision: z.int().nullable(),
});

/** `source accept`: applies a quarantined run to the catalog. */
export function addSourceAccept(source: Command): void {
  addUsage(
    source
      .command("accept")
      .description("Apply a source's quarantined run to the catalog")
      .argument("<name>", "name of the source"),
    { json: sourceAcceptJson, examples: ["gpu-offers-admin source accept vast"] },
  ).action(accept);
}

async function accept(name: string, options: JsonOption): Promise<void> {
  const source = getLiveSource(name);
  const report = await withDatabase((database) => createEngine(database).accept(source));
  if (report === undefined) {
    throw new CommandFailure(`${name} has no quarantined run.`);
  }
  if (report.outcome !== "imported" && report.outcome !== "unchanged") {
    throw new CommandFailure(`${report.problem ?? "The run cannot be imported."} Nothing was changed.`);
  }
  const { outcome, added, changed, removed, revision = null } = report;
  const text =
    revision === null
      ? `The catalog already has all offers of this run of ${name}.`
      : `Accepted ${name}: added ${added}, changed ${changed}, removed ${removed}. The catalog is now revision ${revision}.`;
  await printDone(sourceAcceptJson, { source: name, outcome, added, changed, removed, revision }, options, text);
}
