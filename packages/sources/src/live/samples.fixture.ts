import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import { readReplies, recordedContext } from "./recordings.fixture.js";
import { aws } from "./samples/aws.fixture.js";
import { azure } from "./samples/azure.fixture.js";
import { cloudrift } from "./samples/cloudrift.fixture.js";
import { cudo } from "./samples/cudo.fixture.js";
import { digitalocean } from "./samples/digitalocean.fixture.js";
import { gcp } from "./samples/gcp.fixture.js";
import { gpuai } from "./samples/gpuai.fixture.js";
import { gpuhunt } from "./samples/gpuhunt.fixture.js";
import { hotaisle } from "./samples/hotaisle.fixture.js";
import { hyperbolic } from "./samples/hyperbolic.fixture.js";
import { hyperstack } from "./samples/hyperstack.fixture.js";
import { jarvislabs } from "./samples/jarvislabs.fixture.js";
import { lambda } from "./samples/lambda.fixture.js";
import { latitude } from "./samples/latitude.fixture.js";
import { linode } from "./samples/linode.fixture.js";
import { lium } from "./samples/lium.fixture.js";
import { oci } from "./samples/oci.fixture.js";
import { ovhcloud } from "./samples/ovhcloud.fixture.js";
import { primeintellect } from "./samples/primeintellect.fixture.js";
import { runpod } from "./samples/runpod.fixture.js";
import { scaleway } from "./samples/scaleway.fixture.js";
import { seeweb } from "./samples/seeweb.fixture.js";
import { shadeform } from "./samples/shadeform.fixture.js";
import { skypilot } from "./samples/skypilot.fixture.js";
import { tensordock } from "./samples/tensordock.fixture.js";
import { thunder } from "./samples/thunder.fixture.js";
import { vast } from "./samples/vast.fixture.js";
import { verda } from "./samples/verda.fixture.js";
import { voltagepark } from "./samples/voltagepark.fixture.js";
import { vultr } from "./samples/vultr.fixture.js";

// Small responses in the form of each source's API, written for the tests, one file per source: each has a known price
// and a row that is not an offer.

/** Bodies by source and part. Text and bytes (archives) are used as they are, anything else is encoded as JSON. */
export type Bodies = Readonly<Record<string, unknown>>;

/** Responses of every source, by its name. */
export const samples: Readonly<Record<string, Bodies>> = {
  vast,
  runpod,
  verda,
  vultr,
  linode,
  ovhcloud,
  oci,
  azure,
  aws,
  lambda,
  shadeform,
  primeintellect,
  lium,
  cloudrift,
  voltagepark,
  hyperbolic,
  gpuai,
  thunder,
  cudo,
  hyperstack,
  digitalocean,
  latitude,
  gcp,
  tensordock,
  hotaisle,
  jarvislabs,
  seeweb,
  scaleway,
  skypilot,
  gpuhunt,
};

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
