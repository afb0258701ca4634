import { expect, test } from "vitest";
import { parseGpuAliases } from "../gpu-alias.js";
import type { LiveItem, LiveReply } from "./live-source.js";
import { recordedContext, bytesOf } from "./recordings.fixture.js";
import { skypilot } from "./skypilot.js";

const HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice";
const GOOD = `${HEADER}\ngpu-h100-sxm_1gpu-16vcpu-200gb,H100,1,16,200,2.95,eu-north1,H100,\nx,Turbo 9,1,1,1,1,eu-north1,,\n`;

const replyOf = (scope: string, csv: string): LiveReply => ({
  request: { part: "vms", main: true, scope, method: "GET", url: `https://raw.githubusercontent.com/${scope}` },
  status: 200,
  headers: {},
  body: bytesOf(csv),
});

async function read(replies: readonly LiveReply[], aliases: readonly string[] = []): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  const context = { ...recordedContext, aliases: parseGpuAliases(aliases) };
  for await (const item of skypilot.read(replies, context)) {
    items.push(item);
  }
  return items;
}

test("a broken file in a feed fails only its cloud", async () => {
  const items = await read([replyOf("ibm", "<!doctype html>"), replyOf("nebius", GOOD)]);
  expect(items.flatMap((item) => (item.kind === "failure" ? item.scope : []))).toEqual(["ibm"]);
  expect(items.flatMap((item) => (item.kind === "offer" ? item.offer.gpu.slug : []))).toEqual(["h100-sxm"]);
  expect(items.flatMap((item) => (item.kind === "provider" ? item.provider.name : []))).toEqual(["nebius"]);
});

test("a feed uses the GPU aliases of the operator", async () => {
  const items = await read([replyOf("nebius", GOOD)], ["Turbo 9=h100-pcie"]);
  expect(items.flatMap((item) => (item.kind === "offer" ? item.offer.gpu.slug : []))).toEqual([
    "h100-sxm",
    "h100-pcie",
  ]);
});
