import { exactSearches } from "./exact-searches.ts";
import * as is from "./search-conditions.ts";
import { searchesInWords } from "./searches-in-words.ts";

// What people type into the search boxes of GPU clouds: each text with its reading in words, and what it must find as a
// plain condition on the fields of offers.

/** A search text of the corpus. */
export interface CorpusSearch {
  texts: readonly string[];
  /** In words. */
  reading: string;
  meant: is.Condition;
  /** Typed into a field, where slips are taken. */
  isTyped?: true;
}

const { all, any, not } = is;

/** Written from what people type, before there was a grammar. */
const fresh: readonly is.Row[] = [
  ["the A10, not the A10G", is.a10, "a10"],
  ["the L40, not the L40S", is.slug(/^l40$/), "l40"],
  ["every A100 with 80 GB", all(is.a100, is.vram(80)), "a100-80", "a100 80"],
  ["either", any(is.h100, is.a100), "h100 or a100"],
  ["either, on the continent", all(any(is.h100, is.h200), is.europe), "h100 or h200 in europe"],
  ["every provider but this one", not(is.by("runpod")), "not runpod"],
  ["a GPU without a provider", all(is.h100, not(is.by("aws"))), "h100 not aws", "h100 no aws"],
  ["in the country", all(is.h100, is.country("DE")), "h100 in germany"],
  ["in the country", all(is.a100, is.us), "a100 in the us"],
  ["at the provider", all(is.rtx4090, is.by("vast")), "4090 on vast"],
  ["at the provider", all(is.h100, is.by("lambda")), "h100 at lambda"],
  ["below a price per GPU-hour", all(is.h100, is.below(2)), "h100 under $2", "h100 under 2"],
  ["below a price per GPU-hour", is.below(2), "under $2"],
  ["at most a price per GPU-hour", all(is.h100, is.atMost(2)), "h100 max 2$", "h100 $2 max", "h100 $2", "h100 2$/hr"],
  ["below a price per GPU-hour", all(is.h100, is.below(2.5)), "h100 below $2.50"],
  ["below a price per GPU-hour", all(is.a100, is.below(1.5)), "a100 cheaper than 1.50"],
  ["below a price per GPU-hour", is.below(1), "less than $1"],
  ["memory of one GPU from", is.vramFrom(40), "at least 40gb", "at least 40 gb vram"],
  ["memory of one GPU", is.vram(48), "48GB vram"],
  ["RAM of the machine from", is.ramFrom(1000), "1tb ram"],
  ["virtual CPUs from", is.vcpuFrom(64), "64 cores"],
  ["virtual CPUs from", is.vcpuFrom(32), "32 vcpu", "at least 32 cores"],
  ["between two prices per GPU-hour", all(is.atLeast(0.5), is.atMost(1)), "0.5-1"],
  ["between two prices per GPU-hour", all(is.atLeast(1), is.atMost(2)), "$1-$2", "between $1 and $2"],
  ["either", any(is.h100, is.a100), "h100, a100", "a100/h100"],
  ["by price", is.h100, "cheapest h100"],
  ["by price, on the continent", all(is.rtx4090, is.europe), "cheapest 4090 in europe"],
  ["available", all(is.h100, is.available), "h100 available", "h100 in stock"],
  ["available, eight GPUs", all(is.h100, is.count(8), is.available), "available 8x h100"],
  ["with a spot price", all(is.h100, is.spot), "h100 spot"],
  ["prices on demand", is.a100, "a100 on demand"],
  ["virtual machines", is.deployment("virtual"), "vm"],
  ["machines without a hypervisor", is.deployment("bare-metal"), "bare metal"],
  ["machines without a hypervisor", all(is.h100, is.deployment("bare-metal")), "h100 bare metal"],
  ["one GPU", is.count(1), "single gpu"],
  ["one GPU", all(is.h100, is.count(1)), "single h100"],
  ["two GPUs", all(is.rtx4090, is.count(2)), "dual 4090"],
  ["eight GPUs", is.count(8), "8 gpus"],
  ["eight GPUs", all(is.h100, is.count(8)), "eight h100", "8 h100"],
  ["two GPUs", all(is.a100, is.count(2)), "two a100"],
  ["four GPUs", all(is.a100, is.count(4)), "quad a100"],
  ["a disk of that size can be had", is.diskFrom(1000), "disk>=1000", "1tb disk"],
  ["a disk of that size can be had", all(is.h100, is.diskFrom(2000)), "h100 2tb disk"],
  ["a provider by another name", is.by("gcp"), "gcloud", "google cloud"],
  ["a provider by another name", all(is.a100, is.by("gcp")), "google cloud a100"],
  ["a provider by its full name", is.by("lambda"), "lambda labs"],
  ["a provider by its full name", all(is.h100, is.by("lambda")), "lambda labs h100"],
  ["a GPU with its brand", is.rtx4090, "geforce 4090"],
  ["a GPU with its brand", is.slug(/^rtx-3090$/), "geforce rtx 3090"],
  ["an instance type", is.type(/^p5\.48xlarge$/), "p5.48xlarge"],
  ["instance types of a series", all(is.by("aws"), is.type(/^p5/)), "aws p5"],
  ["instance types of a series: AWS has no Tesla P4", all(is.by("aws"), is.type(/^p4/)), "aws p4"],
  ["an instance type", is.type(/^g5\.xlarge$/), "g5.xlarge"],
  ["instance types of a series: Google has no A2", all(is.by("gcp"), is.type(/^a2-/)), "gcp a2"],
  ["instance types of a series", all(is.by("azure"), is.type(/_NC24/)), "azure nc24"],
  ["a name of a GPU", is.slug(/^rtx-4090(-48gb)?$/), "rtx 4090", "rtx4090", "RTX 4090"],
  ["a name of a GPU with its memory", all(is.a100, is.vram(80)), "nvidia a100 80gb"],
  ["a name of a GPU with form and memory", all(is.a100, is.sxm, is.vram(80)), "A100 SXM 80GB"],
  ["a form of a GPU", all(is.h100, is.sxm), "h100 sxm"],
  ["a form of a GPU", is.slug(/^h100-pcie$/), "h100 pcie"],
  ["NVLink", all(is.h100, is.nvlink), "h100 nvlink", "h100 and nvlink"],
  ["several of one", is.h100, "h100s"],
  ["without NVLink", all(is.h100, not(is.nvlink)), "h100 without nvlink"],
  ["every provider but this one", not(is.by("aws")), "everything except aws"],
  ["a GPU without a provider", all(is.a100, not(is.by("aws"))), "a100 but not aws"],
  ["the T4, not the T4G", is.t4, "t4"],
  ["a GPU with its memory", all(is.v100, is.vram(32)), "v100 32gb"],
  ["a GPU with its memory", all(is.v100, is.vram(16)), "v100 16"],
  ["a GPU with its memory", all(is.rtx4090, is.vram(24)), "4090 24gb"],
  ["memory of one GPU", is.vram(80), "80gb", "gpu with 80gb"],
  ["memory of one GPU from", is.vramFrom(80), "80gb or more"],
  ["memory from, price below", all(is.vramFrom(24), is.below(0.5)), "24gb+ under $0.50"],
  ["memory, price below", all(is.vram(24), is.below(0.5)), "24gb under 50 cents"],
  ["memory of one GPU above", is.vramAbove(40), ">40gb"],
  ["memory of one GPU between", is.vram(24, 48), "24-48gb"],
  ["number of GPUs between", is.count(4, 8), "4-8 gpus"],
  ["price of the machine below", all(is.h100, is.count(8), is.hourlyBelow(20)), "8x h100 under $20 total"],
  ["price of the machine at most", all(is.h100, is.count(8), is.hourlyAtMost(30)), "8xh100 max $30 per hour in total"],
  ["below a price per GPU-hour", all(is.h100, is.below(2)), "h100 for under $2 an hour"],
  ["at most a price per GPU-hour", all(is.h100, is.atMost(2.5)), "h100 <= $2.5/hr"],
  ["members of the Union, without Norway, Switzerland and the UK", all(is.h100, is.members), "european union h100"],
  ["members of the Union", is.members, "eu27"],
  ["the continent", is.europe, "eu", "europe"],
  ["the country", all(is.h100, is.country("GB")), "h100 uk"],
  ["the country, and a text of the region", all(is.h100, is.us, is.place(/east/i)), "us east h100"],
  ["a region with its zones", is.place(/^us-east-1(?!\d)/), "us-east-1"],
  ["a city or state", all(is.h100, is.place(/virginia/i)), "h100 virginia"],
  ["the country", all(is.a100, is.country("NL")), "a100 netherlands"],
  ["a vendor", is.amd, "amd"],
  ["a GPU", is.slug(/^mi300x$/), "mi300x", "amd mi300x"],
  ["an architecture", is.architecture("Blackwell"), "blackwell"],
  ["either", any(is.b200, is.h200), "b200 or h200"],
  ["an architecture", is.architecture("Hopper"), "hopper"],
  ["an architecture", is.architecture("Ada"), "ada"],
  ["a GPU", is.slug(/^rtx-6000-ada$/), "rtx 6000 ada"],
  ["a GPU", is.a6000, "a6000"],
  ["either", any(is.a6000, is.l40s), "rtx a6000 or l40s"],
  ["a GPU with its memory", is.h200, "h200 141gb"],
  ["memory of all GPUs from", is.totalVramFrom(640), "640gb vram total"],
  ["memory from, price below", all(is.vramFrom(24), is.below(1)), "a gpu with at least 24gb vram under $1"],
  ["in a sentence", all(is.h100, is.count(8), is.europe), "i need 8 h100 in the eu"],
  ["the country", all(is.h100, is.country("NO")), "h100 norway", "h100 no"],
  ["the country", is.country("IN"), "india"],
  ["in the country", all(is.l4, is.country("IN")), "l4 in india"],
  ["the L4 alone", is.l4, "l4"],
  ["a GPU", is.slug(/^rtx-3090-ti$/), "3090 ti"],
  ["a GPU and its Ti", is.rtx3090, "3090"],
  ["either provider", is.by("fluidstack", "lambda"), "fluidstack or lambda"],
  ["either provider: nothing is both", is.by("runpod", "vast"), "runpod and vast"],
  ["memory and NVLink", all(is.a100, is.vram(80), is.nvlink), "a100 80gb nvlink"],
  ["with a spot price", all(is.a100, is.spot), "interruptible a100"],
  ["with a spot price", all(is.v100, is.spot), "preemptible v100"],
  ["a network", is.network(/infiniband/i), "infiniband"],
  ["a network", all(is.a100, is.count(8), is.network(/infiniband/i)), "8x a100 infiniband"],
  ["RAM of the machine from", is.ramFrom(512), "512gb ram"],
  ["RAM of the machine from", all(is.a100, is.ramFrom(512)), "a100 512gb ram"],
  ["both, as they are of different kinds", all(is.h100, is.europe), "h100 and eu"],
  ["at most a price per GPU-hour", is.atMost(2), "$2"],
];

/** Written in the same way, with slips: in a field, the nearest name is taken. */
const slips: readonly is.Row[] = [
  ["l for 1", is.h100, "hl00"],
  ["o for 0", is.h100, "h1oo"],
  ["letters swapped", is.slug(/^rtx-4090(-48gb)?$/), "rxt 4090"],
  ["a letter left out", is.h100, "nvida h100"],
  ["a letter twice", is.by("runpod"), "runpodd"],
  ["a letter left out", all(is.h100, is.country("DE")), "germny h100"],
];

/** Wordings of public price lists, guides and support threads, by people who know nothing of this grammar. */
const published: readonly is.Row[] = [
  ["GPU and count", all(is.h100, is.count(8)), "8x NVIDIA H100"],
  ["GPU and network", all(is.h100, is.network(/infiniband/i)), "H100 GPU cluster with InfiniBand"],
  ["GPU, memory and place", all(is.a100, is.vram(80), is.europe), "A100 80GB in Europe"],
  ["GPU and its memory", is.slug(/^rtx-4090$/), "RTX 4090 (24GB)"],
  ["either", any(is.slug(/^l4$/), is.a100, is.h100), "L4 / A100 / H100", "L4, A100 and H100"],
  ["either", any(is.h100, all(is.a100, is.vram(80))), "H100 vs A100 80GB"],
  ["either, in a region", all(is.slug(/^[pv]100/), is.place(/^westus2/)), "P100 or V100 in westus2"],
  ["either", all(is.slug(/^(?:a40|l40s)$/), is.vram(48)), "A40/L40S (48 GB)"],
  ["either provider", all(is.rtx4090, is.by("runpod", "vast")), "RTX 4090 on RunPod or Vast.ai"],
  ["GPU and its memory", all(is.a100, is.vram(40)), "A100 40GB"],
  ["two prices", all(is.slug(/^rtx-3090/), is.atLeast(0.34), is.atMost(0.44)), "RTX 3090 $0.34 - $0.44/hour"],
  ["memory from", is.vramFrom(24), "min 24GB VRAM"],
  ["memory between", is.vram(16, 24), "16-24GB VRAM"],
  ["memory of all GPUs", all(is.count(8), is.totalVramFrom(640)), "8 GPUs with 640 GB VRAM"],
  ["available", all(is.h100, is.available), "cheapest live on-demand H100", "H100 available today"],
  ["form and link", all(is.slug(/^h100-sxm$/), is.nvlink), "H100 SXM5 NVLink"],
  ["below a price", is.below(1), "GPUs under $1/hour"],
  ["below a price", all(is.h100, is.below(3)), "H100 $ per GPU hour below 3"],
  ["type and region", all(is.type(/^g4dn/), is.place(/^eu-central-1/)), "g4dn eu-central-1"],
  ["count, GPU and memory", all(is.a100, is.vram(80), is.count(2)), "2×A100 80 GB"],
  ["provider, GPU and memory", all(is.by("lambda"), is.a100, is.vram(40)), "Lambda Labs A100 40GB"],
  ["GPU and its memory", is.a10, "NVIDIA A10 24 GB VRAM"],
  ["GPU at spot prices", all(is.slug(/^v100/), is.spot), "Tesla V100 spot"],
  ["count, GPU and country", all(is.slug(/^rtx-a6000$/), is.count(1), is.us), "one A6000 in the US"],
  ["several GPUs", all(is.a100, is.nvlink, is.count(2, 99)), "multi-GPU A100 NVLink"],
  ["disk and GPU", all(is.diskFrom(100), is.rtx4090), "100GB disk 4090"],
  ["RAM from", all(is.a100, is.ramFrom(200)), "A100 with at least 200 GB RAM"],
  ["place, GPU and price", all(is.europe, is.h100, is.below(3)), "europe H100 under $3 per hour"],
  ["a name with a space in it", is.h100, "h 100", "h10 0"],
  ["a name with a space in it", is.a100, "a 100", "a10 0"],
  ["a name with a space in it", is.slug(/^l40s$/), "l 40s"],
  [
    "nothing: the price is in another currency",
    all(is.h100, is.below(0)),
    "2 euro h100",
    "h100 under €2/h",
    "h100 <3 gbp",
  ],
];

const searchesOf = (rows: readonly is.Row[], isTyped?: true): CorpusSearch[] =>
  rows.map(([reading, meant, ...texts]) => ({ texts, reading, meant, ...(isTyped && { isTyped }) }));

/** Searches for what people type, written before the grammar was. */
export const freshSearches: readonly CorpusSearch[] = [...searchesOf(fresh), ...searchesOf(slips, true)];

/** All searches. */
export const corpus: readonly CorpusSearch[] = [
  ...freshSearches,
  ...searchesOf(published),
  ...searchesOf(exactSearches),
  ...searchesOf(searchesInWords),
];
