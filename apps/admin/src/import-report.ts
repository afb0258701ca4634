import { availabilityWords, gpuModels, isPlainText, nearNames, resolveGpu } from "@gpu-offers/domain";
import { CATALOG_FORMATS, findTables, type CatalogFormat } from "@gpu-offers/sources";
import * as z from "zod";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import type { ImportRemedy } from "@gpu-offers/store/import-problem";
import { findingsSchema } from "@gpu-offers/store/import-findings";
import { rejectionCountSchema } from "@gpu-offers/store/offer-stage";
import { quarantineSchema, type ProviderQuarantine } from "@gpu-offers/store/quarantine";
import { counted, formatCount, formatTable } from "./table.js";

// The report of `catalog import`, as JSON or text.

const changesJson = z.strictObject({ added: z.int(), changed: z.int(), removed: z.int(), unchanged: z.int() });

const findings = findingsSchema.shape;

export const catalogImportJson = z.strictObject({
  outcome: z.enum(["imported", "recorded", "unchanged", "dry_run", "rejected", "quarantined"]),
  problem: z.string().optional().describe("why nothing was changed, if the outcome is rejected or quarantined"),
  revision: z.int().optional().describe("the new revision, if there is one"),
  format: z.enum(CATALOG_FORMATS),
  tables: z
    .string()
    .nullable()
    .describe("provider whose region, instance type and catalog tables applied; null if none did"),
  providers: z.array(z.string()),
  rows: z.strictObject({ offers: z.int(), rejected: z.int(), skipped: z.int() }),
  ...changesJson.shape,
  provider_changes: changesJson,
  image_changes: changesJson,
  availability: findings.availability,
  unavailable: findings.unavailable,
  rejections: z.array(rejectionCountSchema),
  unplaced_regions: findings.unplaced_regions,
  unknown_gpus: z.array(
    z.strictObject({
      name: z.string(),
      rows: z.int(),
      nearest: z.string().nullable().describe("nearest GPU slug, a suggestion"),
    }),
  ),
  cross_products: findings.cross_products,
  warnings: z.array(z.string()),
  quarantined: z.array(quarantineSchema).describe("implausible changes, by provider"),
});

/** See {@link catalogImportJson}. */
export type CatalogImportJson = z.infer<typeof catalogImportJson>;

/** Context of the command, not part of the report. */
interface ImportContext {
  format: CatalogFormat;
  /** The provider named by the options or the path. */
  provider: string | undefined;
  /** The provider whose tables the operator selected. */
  tables: string | undefined;
}

export function toJson(report: ImportReport, context: ImportContext): CatalogImportJson {
  const { problem, remedy, findings: found, changes, notes, warnings, facts: _, ...same } = report;
  const { unknownGpus, ...others } = found;
  return {
    ...same,
    ...(problem !== undefined && { problem: `${problem}${remedyText(remedy)}` }),
    format: context.format,
    tables: tablesOf(context),
    provider_changes: changes.providers,
    image_changes: changes.images,
    ...others,
    unknown_gpus: unknownGpus.map(({ name, rows, memoryGb }) => ({
      name,
      rows,
      nearest: nearestSlug(name, memoryGb),
    })),
    warnings: [...warningsOf(context), ...notes, ...warnings.map(({ message }) => message)],
  };
}

function remedyText(remedy: ImportRemedy | undefined): string {
  switch (remedy?.kind) {
    case "raise_limit":
      return " To allow more, use --max-rejected.";
    case "remove_provider":
      return ` To remove ${remedy.provider ?? "a provider"}, use catalog remove${remedy.provider === undefined ? "" : ` --provider ${remedy.provider}`}.`;
    case "disable_source":
      return ` Disable it first (source disable ${remedy.source}), or add --force.`;
    case "allow_older":
      return " To fill the past, add --history-only; to import them anyway, --older.";
    case undefined:
      return "";
  }
}

function tablesOf({ format, provider, tables }: ImportContext): string | null {
  return format === "skypilot" ? (findTables(tables ?? provider ?? "").name ?? null) : null;
}

function warningsOf({ format, provider = "", tables }: ImportContext): string[] {
  if (format !== "skypilot" || tables !== undefined) {
    return [];
  }
  const { isKnown, nearest } = findTables(provider);
  const hint = `If it is ${nearest ?? "another provider"}, add --tables ${nearest ?? "NAME"}.`;
  return isKnown ? [] : [`There are no tables for ${provider}. ${hint}`];
}

const SLUGS: readonly string[] = gpuModels.map(({ slug }) => slug);

/**
 * The card that an unknown name may mean. Another model number is another card (`R100` is no H100, `A30X` no A30), and so is
 * one with other memory than the rows state.
 */
function nearestSlug(name: string, memoryGb: readonly number[]): string | null {
  const numbers = name.toLowerCase().match(/[a-z]*\d[a-z0-9]*/g) ?? [];
  const isPossible = (slug: string) =>
    numbers.every((number) => slug.split("-").includes(number) || /^\d+gb?$/.test(number)) &&
    memoryGb.every((vramGb) => resolveGpu(slug, { vramGb }).kind !== "mismatch");
  return nearNames(name, SLUGS).find(isPossible) ?? null;
}

const REASONS: Record<CatalogImportJson["unavailable"][number]["reason"], string> = {
  stated: "sold out: the file says so",
  cross_product: "unknown: the file lists every type in every region, which doesn't show what can be rented where",
  no_place: "unknown: their region names no place, which doesn't show that they can be rented",
};

const MAX_LISTED = 20;

export function formatReport(
  file: string,
  report: CatalogImportJson,
  quarantined: readonly ProviderQuarantine[],
): string {
  const { rows, rejections, unplaced_regions: regions, unknown_gpus: gpus } = report;
  const lines = [
    `${file} (${report.format})`,
    `rows: ${counted(rows.offers, "offer")}, ${formatCount(rows.rejected)} rejected, ${formatCount(rows.skipped)} without a GPU`,
    `providers: ${report.providers.join(", ") || "none"}${report.tables === null ? "" : ` (using the ${report.tables} tables)`}`,
    ...report.warnings.map((warning) => `warning: ${warning.replace(/^Warning: /, "")}`),
  ];
  for (const { code, count: rejected, first } of rejections) {
    lines.push(`rejected: ${formatCount(rejected)} ${code}`);
    lines.push(...first.map(({ where, reason }) => `  ${where}: ${reason}`));
    if (rejected > first.length) {
      lines.push(`  and ${formatCount(rejected - first.length)} more`);
    }
  }
  lines.push(
    ...report.cross_products.map(
      ({ provider, types, places }) =>
        `cross product: ${provider}, ${formatCount(types)} types x ${formatCount(places)} regions`,
    ),
    `availability: ${
      Object.entries(report.availability)
        .filter(([, count]) => count > 0)
        .map(([word, count]) => `${formatCount(count)} ${availabilityWords(word)}`)
        .join(", ") || "none"
    }`,
    ...report.unavailable.map(({ reason, offers }) => `  ${formatCount(offers)} ${REASONS[reason]}`),
    ...listed(
      "regions without a known location",
      regions.map(({ provider, region, offers }) => `${formatCount(offers)}  ${provider} ${JSON.stringify(region)}`),
    ),
    ...listed(
      "unknown GPUs; edit these lines and add them to GPU_ALIASES_FILE, or pass them with --gpu-aliases",
      gpus.map(
        ({ name, rows: unknown, nearest }) => `# ${counted(unknown, "row")}\n  ${printable(name)}=${nearest ?? "SLUG"}`,
      ),
    ),
    ...quarantined.map(formatQuarantine),
  );
  const { outcome } = report;
  if (outcome === "rejected" || outcome === "quarantined") {
    return lines.join("\n");
  }
  if (outcome !== "recorded") {
    lines.push(changesText("offers", report), changesText("providers", report.provider_changes));
    lines.push(changesText("images", report.image_changes));
  }
  const endings: Record<typeof outcome, string> = {
    imported: `The catalog is now revision ${report.revision}; running services notice it within 2 seconds.`,
    recorded: "The prices are in the history; the catalog is as it was.",
    unchanged: "The catalog is already up to date; nothing was changed.",
    dry_run: "Dry run: nothing was changed.",
  };
  return [...lines, endings[outcome]].join("\n");
}

/** Text of a source without characters that could forge terminal output. */
function printable(text: string): string {
  return Array.from(text, (character) => (isPlainText(character) ? character : "?")).join("");
}

function listed(title: string, entries: readonly string[]): string[] {
  const more = entries.length - MAX_LISTED;
  return entries.length === 0
    ? []
    : [
        `${title}:`,
        ...entries.slice(0, MAX_LISTED).map((entry) => `  ${entry}`),
        ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
      ];
}

function changesText(what: string, { added, changed, removed, unchanged }: z.infer<typeof changesJson>): string {
  const counts = `added ${formatCount(added)}, changed ${formatCount(changed)}, removed ${formatCount(removed)}, unchanged ${formatCount(unchanged)}`;
  return `${what}: ${counts}`;
}

/** Describes how an implausible change would affect a provider. */
export function formatQuarantine(quarantine: ProviderQuarantine): string {
  const { provider, gates, examples, offers_before, offers_after, added, removed, repriced } = quarantine;
  const columns = {
    OFFER: "id",
    GPU: "gpu",
    "USD/H NOW": "before",
    "USD/H NEW": ({ after }: ProviderQuarantine["examples"][number]) => after ?? "removed",
  } as const;
  return [
    `${provider}: ${offers_before} offers now, ${offers_after} in the new catalog; added ${added}, removed ${removed}, repriced ${repriced}`,
    ...gates.map(({ gate, message }) => `  ${gate}: ${message}`),
    ...(examples.length === 0 ? [] : [formatTable(columns, examples)]),
  ].join("\n");
}
