import { existsSync, readdirSync, readFileSync } from "node:fs";
import { zipSync } from "fflate";
import type { SourceItem } from "../source-item.js";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import { recordedBody, type Recording } from "./recording.js";

// Recorded responses in a folder next to the project, if present; they are not part of it.

/** The folder that the recordings are in. */
export const recordingsFolder = new URL("../../../../../shared/", import.meta.url);

/** Whether the recordings are on this machine. */
export const present = existsSync(new URL("live/", recordingsFolder));

if (!present) {
  console.warn("The recorded responses are not on this machine: the tests that read them are skipped.");
}

/** A context without secrets, whose replies are recorded. */
export const recordedContext: LiveContext = { secrets: {}, settings: {}, aliases: new Map(), recorded: true };

const fixtures = "data/gpuhunt-fixtures";

/** Recorded bodies of main requests, by source. */
export const recordedBodies: readonly { source: string; path: string }[] = [
  { source: "vast", path: "live/vast/bundles-h100-2026-07-18.json" },
  { source: "runpod", path: "live/runpod/graphql-gputypes-2026-07-18.json" },
  { source: "verda", path: "live/verda/instance-types-excerpt-2026.json" },
  { source: "verda", path: `${fixtures}/verda_instance_types.json` },
  { source: "vultr", path: `${fixtures}/vultr_plans.json` },
  { source: "vultr", path: `${fixtures}/vultr_plans_metal.json` },
  { source: "linode", path: "live/linode/types-0.json" },
  { source: "ovhcloud", path: "live/ovhcloud/order-catalog-public-cloud-trimmed-2026-08.json" },
  { source: "oci", path: "live/oci/products-gpu-2026-10-01.json" },
  { source: "azure", path: "live/azure/retail-h100-westeurope-2026-08.json" },
  { source: "azure", path: "live/azure/retail-items-excerpt-2026.json" },
  { source: "aws", path: "live/aws/website-ondemand-us-east-1-gpu-rows-2026.json" },
  { source: "lambda", path: "live/lambda/instance-types-2026-08-20-trimmed.json" },
  { source: "primeintellect", path: "data/primeintellect/availability_response.json" },
  { source: "lium", path: "live/lium/executors-excerpt-2026-08-22.json" },
  { source: "lium", path: "live/lium/nodes-0.json" },
  { source: "hyperbolic", path: "live/hyperbolic/rental-options-2026-08.json" },
  { source: "gpuai", path: "live/gpuai/pricing-page1-2026-08-22.json" },
  { source: "voltagepark", path: "live/voltagepark/instant-deploy-presets-2026-08.json" },
  { source: "digitalocean", path: `${fixtures}/digitalocean_sizes.json` },
  { source: "latitude", path: "live/latitude/plans-0.json" },
  { source: "scaleway", path: "live/scaleway/fr-par-1/answer-1.json" },
  { source: "gcp", path: "live/gcp/skus-gpu-0.json" },
  { source: "jarvislabs", path: "live/jarvislabs/server-meta-0.json" },
  { source: "seeweb", path: "live/seeweb/plans-0.json" },
];

/** The bytes of a recorded body, by its path in the recordings folder. */
export function recordedBytes(path: string): Uint8Array {
  return readFileSync(new URL(path, recordingsFolder));
}

/** Everything that a source reads from a recording. */
export async function readRecording(
  source: LiveSource,
  recording: Recording,
  context: LiveContext = recordedContext,
): Promise<LiveItem[]> {
  const { replies, failedScopes } = await runRequests(source, context, async (request) => recording.reply(request));
  const failures = [...failedScopes].map(([scope, failure]) => ({ kind: "failure" as const, scope, failure }));
  return [...failures, ...(await readReplies(source, replies, context))];
}

/** Everything that a source reads from replies. */
export async function readReplies(
  source: LiveSource,
  replies: readonly LiveReply[],
  context: LiveContext = recordedContext,
): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  for await (const item of source.read(replies, context)) {
    items.push(item);
  }
  return items;
}

/** Everything that a source reads from the body of its main request. */
export async function readBody(
  source: LiveSource,
  body: string | Uint8Array,
  context?: LiveContext,
): Promise<LiveItem[]> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return readRecording(source, recordedBody(bytes), context);
}

/** The items without notes and failures. */
export function sourceItems(items: readonly LiveItem[]): SourceItem[] {
  return items.filter(
    (item): item is Exclude<LiveItem, { kind: "note" | "failure" }> => item.kind !== "note" && item.kind !== "failure",
  );
}

// Small responses in the form of each source's API, written for the tests, one file per source: each has a known price
// and a row that is not an offer.

/** Bodies by source and part. Text and bytes (archives) are used as they are, anything else is encoded as JSON. */
export type Bodies = Readonly<Record<string, unknown>>;

interface Sample {
  /** What reading them must return. */
  expected: unknown;
  /** Responses by part. An object of texts under `zip` is an archive of these files. */
  bodies: Bodies;
}

const folder = new URL("../../test/samples/", import.meta.url);

/** The files, by the name of the source. */
export const sampleFiles = readdirSync(folder).map(
  (file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Sample] as const,
);

/** Responses of every source, by its name. */
export const samples: Readonly<Record<string, Bodies>> = Object.fromEntries(
  sampleFiles.map(([name, { bodies }]) => [
    name,
    Object.fromEntries(Object.entries(bodies).map(([part, body]) => [part, archived(body)])),
  ]),
);

function archived(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("zip" in body)) {
    return body;
  }
  const files = Object.entries(body.zip as Readonly<Record<string, string>>);
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, bytesOf(text)])), { mtime: "2026-11-21" });
}

/** A context in which every source has something to read: conversion is on, and there is one scope. */
export function sampleContext(source: LiveSource, settings: LiveContext["settings"] = {}): LiveContext {
  const scopes = { runpod: ["secure US-KS-2"], skypilot: ["nebius"], gpuhunt: ["gcp"] }[source.name];
  const first = scopes ?? source.scopes?.defaults.slice(0, 1);
  return {
    ...recordedContext,
    settings: { ...(first === undefined ? {} : { scopes: first }), convert: "ecb", ...settings },
  };
}

/** What a source reads if each request gets the body of its part; a part without one is missing. */
export async function readBodies(
  source: LiveSource,
  bodies: Bodies,
  context: LiveContext = sampleContext(source),
): Promise<LiveItem[]> {
  const { replies } = await runRequests(source, context, async (request) => replyOf(request, bodies));
  return readReplies(source, replies, context);
}

function replyOf(request: LiveRequest, bodies: Bodies): LiveReply {
  const body = bodies[request.part];
  return body === undefined
    ? { request, failure: "There is no such body.", missing: true }
    : { request, status: 200, headers: {}, body: bytesOf(body) };
}

/** A body as received over the network. */
export function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) {
    return body;
  }
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
