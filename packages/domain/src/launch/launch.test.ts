import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { launch, launchPlan } from "./launch-plan.js";
import { launchFacts } from "./launch-facts.js";
import { alikeQuery, isAlike, planOfTop } from "./plan-of-several.js";
import { yamlScalar, type LaunchChoice, type LaunchedListing, type LaunchKind } from "./launch-text.js";
import { launchCommands, toolClouds } from "./tool-names.facts.js";
import { listingFacts } from "../offer/listing.js";
import type { StatedFacts } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { arbitraryListing, exampleOffer } from "../offer.fixture.js";
import { UNKNOWN_REGION } from "../place/region.js";
import { providerKey } from "../provider/provider-key.js";
import { UNKNOWN_STORAGE } from "../offer/storage.js";

function listing(provider: string, facts: StatedFacts, changes: Partial<Offer> = {}): LaunchedListing {
  const offer = exampleOffer({
    provider: { name: provider, slug: provider },
    gpu: { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" },
    gpuCount: 8,
    priceHourly: 98.32,
    ...changes,
  });
  return { offer, ...listingFacts(facts, offer) };
}

function text(kind: LaunchKind, subject: LaunchedListing, choice: LaunchChoice = {}): string | undefined {
  return launch(subject, choice).texts.find((one) => one.kind === kind)?.text;
}

const p5 = listing(
  "aws",
  { instanceType: "p5.48xlarge", seller: "cloud", spot: { priceHourly: 31, kind: "price" } },
  {
    region: "us-east-1/use1-az2",
  },
);

/** Keys of `resources` in SkyPilot's schema (sky/utils/schemas.py). */
const SKY_KEYS =
  "cloud region zone infra cpus memory accelerators instance_type use_spot disk_size disk_tier network_tier local_disk max_hourly_cost ports labels image_id autostop any_of ordered gpus".split(
    " ",
  );

/** Keys of a fleet in dstack's schema (models/fleets.py, models/profiles.py, models/resources.py). */
const DSTACK_KEYS =
  "type name nodes env placement reservation resources blocks backends regions availability_zones instance_types spot_policy retry max_price idle_duration backend_options tags".split(
    " ",
  );
const DSTACK_RESOURCES = "cpu memory shm_size gpu disk".split(" ");

/** Why there is no text for a tool. */
function reason(kind: LaunchKind, subject: LaunchedListing, choice: LaunchChoice = {}): string | undefined {
  return launch(subject, choice).missing.find(({ tool }) => tool === kind)?.reason;
}

const resourcesOf = (subject: LaunchedListing, choice: LaunchChoice = {}) =>
  parse(text("sky", subject, choice) ?? "").resources;
const pod = (facts: StatedFacts, changes: Partial<Offer> = {}) =>
  listing("runpod", { seller: "partner", ...facts }, { region: "EU-NL-1", ...changes });

describe("the names of tools", () => {
  test("are looked up by keys of providers", () => {
    const keys = [...toolClouds.keys()].map((name) => name.split(" ")[1] ?? "");
    expect(keys.filter((key) => providerKey(key) !== key)).toEqual([]);
  });

  test.each([
    ["NVIDIA H100 80GB HBM3", "8x_H100-SXM_SECURE"],
    ["NVIDIA H100 PCIe", "8x_H100_SECURE"],
    ["NVIDIA A100-SXM4-80GB", "8x_A100-80GB-SXM_SECURE"],
    ["NVIDIA A100 80GB PCIe", "8x_A100-80GB_SECURE"],
    ["NVIDIA H200", "8x_H200-SXM_SECURE"],
    ["NVIDIA RTX PRO 6000 Blackwell Server Edition", "8x_RTXPRO6000_SECURE"],
  ])("RunPod's %s is %s in SkyPilot", (instanceType, name) => {
    expect(resourcesOf(pod({ instanceType }))).toMatchObject({ instance_type: name });
  });

  test("are those of a tool's own catalog where it states them", () => {
    expect(resourcesOf(pod({ toolNames: { sky: "8x_H100-SXM_SECURE" } }))).toMatchObject({
      instance_type: "8x_H100-SXM_SECURE",
    });
  });

  test.each<[LaunchKind, string, StatedFacts, Partial<Offer>, string]>([
    [
      "sky",
      "runpod",
      { instanceType: "NVIDIA RTX A4500", seller: "partner" },
      { gpuCount: 8 },
      "SkyPilot doesn't offer NVIDIA RTX A4500 of runpod.",
    ],
    [
      "sky",
      "runpod",
      { instanceType: "NVIDIA H100 80GB HBM3", seller: "host" },
      {},
      "SkyPilot doesn't offer NVIDIA H100 80GB HBM3 of runpod.",
    ],
    ["sky", "vast", { providerOfferId: "1" }, {}, "What SkyPilot calls this machine isn't known."],
    ["sky", "linode", { instanceType: "g2-gpu-rtx4000a1-s" }, {}, "SkyPilot doesn't support linode."],
    [
      "sky",
      "azure",
      { instanceType: "Standard_ND96isr_MI300X_v5" },
      {},
      "SkyPilot doesn't offer Standard_ND96isr_MI300X_v5 of azure.",
    ],
    [
      "sky",
      "aws",
      { instanceType: "p5.48xlarge" },
      { region: "us-west-2-lax-1a" },
      "SkyPilot doesn't list aws in us-west-2-lax-1a.",
    ],
    [
      "dstack",
      "oci",
      { instanceType: "BM.GPU.H100.8" },
      { region: "us-ashburn-1" },
      "dstack doesn't offer BM.GPU.H100.8 of oci.",
    ],
    [
      "dstack",
      "oci",
      { instanceType: "VM.GPU.A10.1" },
      { region: "ap-tokyo-1" },
      "dstack doesn't list oci in ap-tokyo-1.",
    ],
    [
      "dstack",
      "azure",
      { instanceType: "Standard_ND96isr_H100_v5" },
      {},
      "dstack doesn't offer Standard_ND96isr_H100_v5 of azure.",
    ],
    [
      "dstack",
      "aws",
      { instanceType: "p3.2xlarge" },
      { region: "us-east-1" },
      "dstack doesn't offer p3.2xlarge of aws.",
    ],
    [
      "dstack",
      "vultr",
      { instanceType: "vbm-256c-3072gb-8-mi325x-gpu" },
      {},
      "dstack doesn't offer vbm-256c-3072gb-8-mi325x-gpu of vultr.",
    ],
    ["dstack", "vast", { providerOfferId: "1", verified: false }, {}, "dstack rents only from verified hosts of vast."],
    ["cli", "gpuai", { providerOfferId: "1" }, {}, "No command or request of gpuai is known."],
    ["cli", "vast", {}, {}, "The id of the offer isn't known: it lives only as long as the offer."],
  ])("of %s for %s aren't guessed: %j", (kind, provider, facts, changes, why) => {
    const subject = listing(provider, facts, changes);
    expect(text(kind, subject)).toBeUndefined();
    expect(reason(kind, subject)).toBe(why);
  });

  test("say where spot terms can't be had", () => {
    const spot = { spot: { priceHourly: 1, kind: "price" as const } };
    const metal = listing("vultr", { instanceType: "vbm-112c-2048gb-8-h100-gpu", ...spot });
    expect(reason("dstack", metal, { isSpot: true })).toBe("dstack rents no spot instances of this machine.");
    expect(reason("cli", metal, { isSpot: true })).toBe("Vultr API has no documented way to ask for spot terms.");
    const bare = listing("oci", { instanceType: "BM.GPU.H100.8", ...spot });
    expect(reason("sky", bare, { isSpot: true })).toBe("SkyPilot rents no spot instances of this machine.");
  });

  test.each([
    ["jarvislabs", "A100-80GB", "india-noida-01", "A100-8x"],
    ["nebius", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "eu-north1", "gpu-h100-sxm 8gpu-128vcpu-1600gb"],
    ["runpod", "NVIDIA A100 80GB PCIe", "US-KS-2", "NVIDIA A100 80GB PCIe"],
    ["vultr", "vbm-112c-2048gb-8-h100-gpu", "sea", "vbm-112c-2048gb-8-h100-gpu"],
  ])("dstack's name of %s %s", (provider, instanceType, region, name) => {
    const fleet = parse(text("dstack", listing(provider, { instanceType }, { region })) ?? "");
    expect(fleet).toMatchObject({ regions: [region], instance_types: [name] });
  });
});

describe("a SkyPilot task", () => {
  test("asks for the instance type in its region, not in a zone, whose id differs by account", () => {
    expect(parse(text("sky", p5, { diskGb: 500 }) ?? "")).toEqual({
      resources: {
        infra: "aws/us-east-1",
        instance_type: "p5.48xlarge",
        disk_size: 500,
        use_spot: false,
        max_hourly_cost: 103.24,
      },
      run: "nvidia-smi",
    });
    expect(resourcesOf(p5, { isSpot: true })).toMatchObject({ use_spot: true, max_hourly_cost: 32.55 });
    expect(parse(text("sky", p5, { nodes: 2 }) ?? "")).toMatchObject({ num_nodes: 2 });
    // What its limit is compared with, where that isn't the price of the machine.
    const google = listing("gcp", { instanceType: "a3-highgpu-8g" }, { region: "us-central1" });
    const [ofGoogle, ofSpot] = ["the price of the machine without its GPUs", "takes zones above the limit"];
    const said = [text("sky", p5), text("sky", google), text("sky", p5, { isSpot: true })].map((task = "") =>
      [ofGoogle, ofSpot].filter((words) => task.includes(words)),
    );
    expect(said).toEqual([[], [ofGoogle], [ofSpot]]);
  });

  test("has Google's zone as a zone, and no more than the region elsewhere", () => {
    const gcp = (region: string) => listing("gcp", { instanceType: "a3-highgpu-8g" }, { region });
    expect(resourcesOf(gcp("us-central1-b")).infra).toBe("gcp/us-central1/us-central1-b");
    expect(resourcesOf(gcp("us-central1")).infra).toBe("gcp/us-central1");
    expect(parse(text("dstack", gcp("us-central1-b")) ?? "")).toMatchObject({
      regions: ["us-central1"],
      availability_zones: ["us-central1-b"],
    });
    expect(text("cli", gcp("us-central1-b"))).toContain("--zone us-central1-b");
    expect(text("cli", gcp("us-central1"))).toContain("--zone <zone>");
  });

  test("has an image only in a form that SkyPilot takes", () => {
    const image = (id: string) => ({ image: { id, displayName: id } });
    expect(text("sky", p5, image("ami-0123"))).toContain("image_id: ami-0123");
    expect(text("sky", p5, image("resolve:ssm:/aws/service/ami"))).not.toContain("image_id");
    const azure = listing("azure", { instanceType: "Standard_ND96isr_H100_v5" });
    expect(resourcesOf(azure, image("microsoft-dsvm:ubuntu-hpc:2204:latest"))).toMatchObject({
      image_id: "microsoft-dsvm:ubuntu-hpc:2204:latest",
    });
    const gcp = listing("gcp", { instanceType: "a3-highgpu-8g" });
    expect(text("sky", gcp, image("projects/p/global/images/family/f"))).not.toContain("image_id");
    expect(
      resourcesOf(
        pod({ instanceType: "NVIDIA H100 80GB HBM3" }, { deploymentType: "container" }),
        image("runpod/pytorch:1.0"),
      ),
    ).toMatchObject({ image_id: "docker:runpod/pytorch:1.0" });
  });

  test("names the card beside Google's N1 machines, as the command does", () => {
    const t4 = { gpu: { name: "T4", slug: "t4", vramGB: 16, architecture: "Turing" }, gpuCount: 1, region: "us-west1" };
    const n1 = listing("gcp", { instanceType: "n1-standard-8" }, t4);
    expect(resourcesOf(n1)).toMatchObject({
      infra: "gcp/us-west1",
      instance_type: "n1-standard-8",
      accelerators: "T4:1",
    });
    expect(text("cli", n1)).toContain("--accelerator type=nvidia-tesla-t4,count=1");
  });

  test("names RunPod's country and data center as SkyPilot does, and no region that is unknown", () => {
    const dutch = { ...exampleOffer().regionInfo, countryCode: "NL", countryName: "Netherlands" };
    const type = { instanceType: "NVIDIA H100 80GB HBM3" };
    const at = (region: string, regionInfo = dutch) => pod(type, { region, regionInfo });
    expect(["EU-NL-1", "NL/EU-NL-1", "NL"].map((region) => resourcesOf(at(region)).infra)).toEqual([
      "runpod/NL/EU-NL-1",
      "runpod/NL/EU-NL-1",
      "runpod/NL",
    ]);
    const nowhere = at("unknown", { ...dutch, countryCode: "ZZ" });
    expect(resourcesOf(nowhere).infra).toBe("runpod");
    expect(text("dstack", nowhere)).not.toContain("regions");
    expect(parse(text("dstack", at("NL/EU-NL-1")) ?? "").regions).toEqual(["EU-NL-1"]);
    expect(text("cli", at("NL/EU-NL-1"))).toContain('"EU-NL-1"');
    // Its community cloud is by countries.
    const community = listing("runpod", { ...type, seller: "host" }, { region: "NL", regionInfo: dutch });
    expect(parse(text("dstack", community) ?? "").regions).toEqual(["NL"]);
    expect(resourcesOf(listing("oci", { instanceType: "BM.GPU.H100.8" }, { region: "unknown" })).infra).toBe("oci");
    const vast = listing("vast", { toolNames: { sky: "2x-H200-32-65536" } }, { region: "Michigan, US, NA" });
    expect(resourcesOf(vast).infra).toBe("vast/Michigan, US, NA");
  });

  test("has no limit where SkyPilot's own catalog is known to be above the price", () => {
    const verda = listing("verda", { instanceType: "8B200.240V" }, { priceHourly: 31.92 });
    expect(resourcesOf(verda)).not.toHaveProperty("max_hourly_cost");
    expect(text("sky", verda)).toContain("# No max_hourly_cost: SkyPilot's own catalog has 39.12 USD an hour");
  });
});

describe("a dstack fleet", () => {
  test("asks for one instance type of one backend", () => {
    expect(parse(text("dstack", p5, { diskGb: 500, isSpot: true }) ?? "")).toEqual({
      type: "fleet",
      name: "gpu-h100-sxm",
      nodes: 1,
      backends: ["aws"],
      regions: ["us-east-1"],
      instance_types: ["p5.48xlarge"],
      resources: { gpu: { vendor: "nvidia", count: 8 }, disk: "500GB.." },
      spot_policy: "spot",
      max_price: 32.55,
    });
  });

  test("names Vast's ask as text, takes its reliability, and limits its price with the disk, as dstack counts it", () => {
    const offer = { priceHourly: 2, storageCostPerGB: 0.001, storageMinGB: 10, storageMaxGB: 500 };
    const ask = listing("vast", { providerOfferId: "384826", reliability: 0.8 }, offer);
    expect(parse(text("dstack", ask, { diskGb: 100 }) ?? "")).toMatchObject({
      backends: ["vastai"],
      instance_types: ["384826"],
      max_price: 2.21,
      backend_options: [{ type: "vastai", min_reliability: 0.8 }],
    });
  });

  test("lowers what dstack asks for by default to what the machine has", () => {
    const small = listing(
      "aws",
      { instanceType: "g4dn.xlarge" },
      { region: "us-east-1", specs: { vcpu: 1, ram: 4, disk: 0 } },
    );
    expect(parse(text("dstack", small) ?? "").resources).toMatchObject({ cpu: "1..", memory: "0GB..", disk: "1GB.." });
  });
});

describe("a provider's command", () => {
  test("has what is known, names what isn't, and ends with what stops it", () => {
    const image = {
      id: "resolve:ssm:/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended/image_id",
      displayName: "",
    };
    const command = launch(p5, { diskGb: 500, isSpot: true, image }).texts.find(({ kind }) => kind === "cli");
    expect(command).toMatchObject({
      tool: "aws",
      placeholders: ["security-group-id", "ip", "key-pair", "instance-id"],
    });
    expect(command?.text.replaceAll(" \\\n  ", " ").split("\n")).toEqual([
      "# For bash, zsh or sh",
      "# Its security group must let SSH in:",
      "# aws ec2 authorize-security-group-ingress --region us-east-1 --group-id <security-group-id> --protocol tcp --port 22 --cidr <ip>/32",
      `aws ec2 run-instances --region us-east-1 --instance-type p5.48xlarge --image-id ${image.id} --key-name <key-pair> --security-group-ids <security-group-id> --block-device-mappings 'DeviceName=/dev/xvda,Ebs={VolumeSize=500,VolumeType=gp3}' --instance-market-options 'MarketType=spot,SpotOptions={MaxPrice=32.55}'`,
      "# To log in: ssh ec2-user@<ip>",
      "# To stop it and its costs:",
      "# aws ec2 terminate-instances --region us-east-1 --instance-ids <instance-id>",
      "",
    ]);
    // What another image calls its root device, one asks AWS.
    expect(text("cli", p5, { diskGb: 500 })).toContain("DeviceName=<root-device>");
    expect(text("cli", p5, { diskGb: 500 })).toContain("# aws ec2 describe-images");
  });

  test("has a placeholder for a region that is unknown", () => {
    for (const { provider, takes = "instanceType" } of launchCommands) {
      const subject = listing(provider, { [takes]: "vbm-type" }, { region: "unknown" });
      expect(text("cli", subject) ?? "").not.toContain("unknown");
    }
  });

  test("bids the shown price on Vast's asks, and rents them at their price otherwise", () => {
    const ask = listing("vast", { providerOfferId: "384826", spot: { priceHourly: 9.5, kind: "bid" } });
    expect(text("cli", ask, { diskGb: 100 })).toContain("vastai create instance 384826");
    expect(text("cli", ask, { diskGb: 100 })).not.toContain("bid_price");
    expect(text("cli", ask, { isSpot: true })).toContain("--bid_price 9.5");
  });

  test("tells RunPod's clouds apart by the seller, and opens a way in", () => {
    const facts = { instanceType: "NVIDIA H100 80GB HBM3" };
    expect(text("cli", listing("runpod", { ...facts, seller: "partner" }))).toContain('"cloud": "SECURE"');
    const community = text("cli", listing("runpod", { ...facts, seller: "host" }));
    expect(community).toContain('"cloud": "COMMUNITY"');
    expect(community).toContain('"22/tcp"');
    expect(community).toContain('"PUBLIC_KEY": "<ssh-public-key>"');
  });

  test("takes Google's image family apart", () => {
    const gcp = listing("gcp", { instanceType: "a3-highgpu-8g" });
    const id = "projects/deeplearning-platform-release/global/images/family/common-cu129";
    const known = text("cli", gcp, { image: { id, displayName: "x" } });
    expect(known).toContain("--image-family common-cu129");
    expect(known).toContain("--image-project deeplearning-platform-release");
    expect(text("cli", gcp, { image: { id: "ubuntu", displayName: "x" } })).toContain("<image-family>");
  });

  test("states the chosen disk, or says that it can't", () => {
    const scaleway = listing("scaleway", { instanceType: "H100-1-80G" });
    expect(text("cli", scaleway, { diskGb: 500 })).toContain("root-volume=sbs:500GB");
    const latitude = listing("latitude", { instanceType: "g3-h100-large" });
    expect(text("cli", latitude, { diskGb: 500 })).toContain(
      "# This request has no disk of 500 GB: add it afterwards.",
    );
  });

  test("adds a volume to an included disk, and removes it at the end", () => {
    const storage = { ...UNKNOWN_STORAGE, includedGb: 100, minGb: 100, minAddedGb: 10 };
    const cliOf = (provider: string, diskGb: number) =>
      text("cli", listing(provider, { instanceType: "n3-H100x8", storage }, { region: "tor1" }), { diskGb });
    expect(cliOf("hyperstack", 500)).toContain('"size": 400');
    expect(cliOf("digitalocean", 500)?.split("\n").slice(-7)).toEqual([
      "# Its volume:",
      "doctl compute volume create <volume-name> --region tor1 --size 400GiB",
      "doctl compute volume-action attach <volume-id> <instance-id>",
      "# To stop it and its costs:",
      "# doctl compute droplet delete <name> --force",
      "# doctl compute volume delete <volume-id> --force",
      "",
    ]);
    // A smaller volume isn't sold.
    expect(cliOf("linode", 103)).toContain("--size 10 ");
    expect(cliOf("linode", 100)).not.toContain("volume");
    // Lambda's is named when the machine is launched.
    expect(cliOf("lambda", 500)).toMatch(/filesystems[^]*"file_system_names": \[\n +"<volume-name>"/);
    expect(cliOf("latitude", 500)).toContain(
      "# The disk is the included one and a volume of 400 GB: add it afterwards.",
    );
  });

  test("is told apart from tools that don't add the volume", () => {
    const storage = { ...UNKNOWN_STORAGE, includedGb: 512, minGb: 512, product: "Persistent filesystem" };
    const lambda = listing("lambda", { instanceType: "gpu_8x_h100_sxm5", storage }, { region: "us-south-1" });
    const note =
      "# The disk is the included one and a volume of 488 GB, which SkyPilot doesn't add: add it afterwards.";
    expect(text("sky", lambda, { diskGb: 1000 })).toContain(note);
    expect(text("sky", lambda, { diskGb: 1000 })).not.toContain("disk_size");
    // Asking dstack for more than the included disk would find nothing.
    expect(parse(text("dstack", lambda, { diskGb: 1000 }) ?? "").resources.disk).toBe("1GB..");
    expect(text("dstack", lambda, { diskGb: 1000 })).toContain("a volume of 488 GB");
    const fleet = (found: LaunchedListing[]) =>
      planOfTop(launchPlan(lambda, [], { diskGb: 1000 }), found, 2, { diskGb: 1000 }).notes.at(-1);
    expect(fleet([lambda, p5])).toBe("dstack takes one of: lambda us-south-1.");
    expect(fleet([p5, lambda])).toBe("dstack takes one of: aws us-east-1/use1-az2.");
    // SkyPilot's disk is a volume beside that of a droplet.
    const droplet = listing("do", { instanceType: "gpu-h100x8-640gb", storage }, { region: "tor1" });
    expect(text("sky", droplet, { diskGb: 1000 })).toContain("disk_size: 488");
    expect(text("sky", droplet)).toContain("# SkyPilot adds a volume of 256 GB, which costs extra.");
  });

  test.each(launchCommands.map((launcher) => [launcher.title, launcher] as const))(
    "of %s has a source, and lines that name known facts",
    (_, launcher) => {
      expect(new URL(launcher.source.url).protocol).toBe("https:");
      expect(launcher.provider).toBe(providerKey(launcher.provider));
      const groups = Array.from(String(launcher.types).matchAll(/\(\?<(\w+)>/g), ([, name]) => name);
      const known = new Set<string | undefined>([...Object.keys(launchFacts(p5, {}, "type")), ...groups]);
      const lines = Object.values(launcher.lines).flat();
      const needed = lines.map(([, needs = ""]) => needs.replaceAll(/!?(\w+)/g, "{$1}"));
      const all = [...lines.map(([line]) => line), ...needed].join(" ");
      const named = Array.from(all.matchAll(/\{([a-z]\w*)(?:[:=][\w.-]+)?\}/gi), ([, name]) => name);
      expect(named.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

describe("a plan", () => {
  const storage = { ...UNKNOWN_STORAGE, includedGb: 0, minGb: 8, maxGb: 16_384, pricePerGbMonth: 0.08 };
  const aws = listing("aws", { instanceType: "p5.48xlarge", storage }, { region: "us-east-1" });

  test("has a default disk, says so, and counts it", () => {
    expect(launchPlan(aws, [])).toMatchObject({
      deployment: { disk_gb: 100 },
      problems: [],
      diskGb: 100,
      ceiling: 103.24,
      notes: ["The disk has 100 GB, the default."],
      total: { hourly: 98.330959 },
    });
    expect(launchPlan(aws, [], { fits: "70.5b" })).toMatchObject({
      diskGb: 170,
      notes: ["The disk has 170 GB, for 141 GB of weights and a fifth more."],
    });
    expect(launchPlan(aws, [], { diskGb: 500, fits: "405b" })).toMatchObject({ diskGb: 500, notes: [] });
    expect(launchPlan(aws, [], { fits: "llama" })).toMatchObject({ launch: [], problems: [{ field: "fits" }] });
    const small = listing("vast", { providerOfferId: "1", storage: { ...storage, maxGb: 40 } });
    expect(launchPlan(small, [])).toMatchObject({ diskGb: 40, problems: [] });
    expect(launchPlan(small, [], { fits: "70b" })).toMatchObject({
      diskGb: 40,
      notes: ["The disk has at most 40 GB; the weights and a fifth more are 168 GB."],
    });
  });

  test("takes an included disk as it is, whatever less is asked for", () => {
    const lambda = listing(
      "lambda",
      { instanceType: "gpu_8x_h100_sxm5" },
      { storageMinGB: 512, storageMaxGB: 512, storageCostPerGB: 0 },
    );
    expect(launchPlan(lambda, [])).toMatchObject({ diskGb: null, notes: [], problems: [] });
    expect(launchPlan(lambda, [], { diskGb: 500 })).toMatchObject({ diskGb: null, problems: [] });
    expect(launchPlan(lambda, [], { fits: "405b" })).toMatchObject({
      diskGb: null,
      notes: ["The disk has at most 512 GB; the weights and a fifth more are 972 GB."],
    });
    expect(launchPlan(lambda, [], { diskGb: 600 }).problems).toMatchObject([
      { field: "disk", reason: expect.stringMatching(/^disk must be /) as string },
    ]);
  });

  test("multiplies machine and price by nodes", () => {
    expect(launchPlan(aws, [], { nodes: 2 }).total?.hourly).toBe(196.661918);
    expect(text("cli", aws, { nodes: 2 })).toContain("--count 2");
    expect(text("dstack", aws, { nodes: 2 })).toContain("nodes: 2");
    // Lambda's published request has no number of machines.
    const lambda = text("cli", listing("lambda", { instanceType: "gpu_8x_h100_sxm5" }), { nodes: 2 });
    expect(lambda).toContain("# Send it 2 times: one machine each.");
    expect(lambda).not.toContain("quantity");
  });

  test("says that its texts leave the place open where the source states none", () => {
    const open = "The source states no place: the texts leave it open.";
    const regionInfo = UNKNOWN_REGION;
    const runpod = listing(
      "runpod",
      { instanceType: "NVIDIA H100 80GB HBM3", seller: "partner" },
      { region: "unknown", regionInfo },
    );
    const plan = launchPlan(runpod, []);
    expect([plan.notes.at(-1), plan.launch.length > 0]).toEqual([open, true]);
    expect(launchPlan(aws, []).notes).not.toContain(open);
    const ask = listing("vast", { providerOfferId: "1" }, { region: "unknown", regionInfo });
    expect(launchPlan(ask, []).notes).not.toContain(open);
  });

  test("of Hyperbolic ends with the request that ends a rental", () => {
    const hyperbolic = text("cli", listing("hyperbolic", { instanceType: "h100" }));
    expect(hyperbolic).toContain("virtual-machine-rentals/terminate ");
    expect(hyperbolic).toContain('"rentalId": "<rental-id>"');
  });

  test("has another ceiling if one is chosen, rounded up to the cent", () => {
    expect(launchPlan(aws, [], { ceilingPercent: 0 }).ceiling).toBe(98.32);
    expect(launchPlan(aws, [], { ceilingPercent: 12 }).ceiling).toBe(110.12);
    const [sky] = launchPlan(aws, [], { diskGb: 500 }).launch;
    expect(sky?.text).toContain("The shown price without the disk, 98.32 USD");
  });

  test("boots an image with CUDA where the default has none", () => {
    const image = (id: string, hasCuda: boolean, isDefault: boolean) => ({
      id,
      slug: id,
      displayName: id,
      hasCuda,
      cudaVersion: hasCuda ? "12.8" : null,
      hasDocker: false,
      isDefault,
    });
    const verda = listing("verda", { instanceType: "8H100.80S.176V" });
    const images = [image("plain", false, true), image("cuda", true, false)];
    expect(launchPlan(verda, images).launch.find(({ kind }) => kind === "cli")?.text).toContain('"image": "cuda"');
  });
});

describe("a plan of several offers", () => {
  const at = (provider: string, region: string, instanceType: string, priceHourly: number) =>
    listing(provider, { instanceType, seller: "cloud" }, { region, priceHourly });
  const alike = [
    at("lambda", "us-south-2", "gpu_8x_h100_sxm5", 20),
    at("linode", "us-ord", "none-of-these", 21),
    at("verda", "FIN-01", "8H100.80S.176V", 22),
    at("aws", "us-east-1/use1-az1", "p5.48xlarge", 50),
    at("aws", "us-east-1/use1-az2", "p5.48xlarge", 50),
    at("aws", "us-west-2", "p5.48xlarge", 55),
  ];
  const topOf = (top: number, of = alike) => {
    const [first = p5] = of;
    return planOfTop(launchPlan(first, []), of, top, {});
  };
  const parsed = (kind: LaunchKind, top: number, of = alike) =>
    parse(topOf(top, of).launch.find((one) => one.kind === kind)?.text ?? "");

  test("is SkyPilot's list in the order of prices, each machine once", () => {
    const { ordered } = parsed("sky", 9).resources;
    expect(ordered.map(({ infra }: { infra: string }) => infra)).toEqual([
      "lambda/us-south-2",
      "verda/FIN-01",
      "aws/us-east-1",
      "aws/us-west-2",
    ]);
    expect(ordered[3]).toMatchObject({ instance_type: "p5.48xlarge", max_hourly_cost: 57.75 });
    expect(parsed("sky", 2).resources.ordered).toHaveLength(2);
  });

  test("is only of offers that are for sale, unless the planned one is of the sample", () => {
    const mixed = alike.map((one) => Object.assign({}, one, { sample: one.offer.provider.name === "verda" }));
    expect(parsed("sky", 2, mixed).resources.ordered).toMatchObject([
      { infra: "lambda/us-south-2" },
      { infra: "aws/us-east-1" },
    ]);
    expect(topOf(9, mixed).notes.join(" ")).not.toContain("verda");
  });

  test("is one fleet with the ceiling of the dearest", () => {
    expect(parsed("dstack", 3)).toMatchObject({
      backends: ["lambda", "verda"],
      regions: ["us-south-2", "FIN-01"],
      instance_types: ["gpu_8x_h100_sxm5", "8H100.80S.176V"],
      resources: { gpu: { vendor: "nvidia", count: 8 } },
      max_price: 23.1,
    });
    expect(topOf(3).notes).toContain("dstack takes one of: lambda us-south-2, verda FIN-01.");
    expect(topOf(3).launch.filter(({ kind }) => kind === "cli")).toHaveLength(1);
  });

  test("leaves out what would let dstack choose a machine that isn't listed", () => {
    // In us-east-1 as in us-west-2, dstack may take either type of AWS.
    const two = [at("aws", "us-east-1", "p5.48xlarge", 50), at("aws", "us-west-2", "p5e.48xlarge", 51)];
    expect(parsed("dstack", 2, two)).toMatchObject({ regions: ["us-east-1"], instance_types: ["p5.48xlarge"] });
    const all = [...two, at("aws", "us-west-2", "p5.48xlarge", 52), at("aws", "us-east-1", "p5e.48xlarge", 53)];
    expect(parsed("dstack", 4, all)).toMatchObject({ regions: ["us-east-1", "us-west-2"], max_price: 55.65 });
    // A region of AWS may be one of Lambda, too.
    const lambda = at("lambda", "us-south-2", "gpu_8x_h100_sxm5", 20);
    const aws = at("aws", "us-east-1", "p5.48xlarge", 50);
    expect(parsed("dstack", 2, [lambda, aws])).toMatchObject({ backends: ["lambda"], regions: ["us-south-2"] });
    const both = [at("lambda", "us-east-1", "gpu_8x_h100_sxm5", 20), aws];
    expect(parsed("dstack", 2, both)).toMatchObject({ backends: ["lambda", "aws"], regions: ["us-east-1"] });
  });

  test("asks for the same GPU and count, and for nothing that is sold out", () => {
    expect(alikeQuery(p5, { isSpot: true, diskGb: 500 })).toMatchObject({
      gpu: ["=h100-sxm"],
      min_gpu_count: 8,
      max_gpu_count: 8,
      availability: ["in_stock", "listed", "unknown"],
      spot: "bid",
      disk: 500,
      sort_by: "total",
    });
    const soldOut = { ...p5, availability: "sold_out" as const };
    expect(isAlike(p5, { ...p5, availability: "listed" })).toBe(true);
    expect(isAlike(p5, soldOut)).toBe(false);
    expect(isAlike(soldOut, soldOut)).toBe(true);
    for (const other of [{ gpuCount: 4 }, { gpu: { ...p5.offer.gpu, slug: "h200-sxm" } }]) {
      expect(isAlike(p5, { offer: { ...p5.offer, ...other }, availability: "listed" })).toBe(false);
    }
  });
});

describe("what comes from a catalog", () => {
  // Each would run, split, redirect or end something if a text took it as it is.
  const hostile = [
    "; touch PWNED",
    "$(touch PWNED)",
    "`touch PWNED`",
    "| touch PWNED",
    "|| touch PWNED",
    "&& touch PWNED",
    "& touch PWNED",
    "\ntouch PWNED",
    "\r\ntouch PWNED",
    "'; touch PWNED; '",
    '"; touch PWNED; "',
    "' $(touch PWNED) '",
    '" $(touch PWNED) "',
    "\\'; touch PWNED #",
    "us-central1; touch PWNED; echo ",
    "> PWNED",
    ">> PWNED",
    "< /etc/passwd",
    "<(touch PWNED)",
    ">(touch PWNED)",
    "$PATH",
    "${IFS}touch${IFS}PWNED",
    "~",
    "*",
    "?",
    "[a-z]",
    "{a,b}",
    "!!",
    "#comment",
    "--option",
    "-rf",
    "a b",
    "a\tb",
    "",
    "<api-key>",
    "\\",
    "\\\ntouch PWNED",
    // A fact in a fact isn't filled in
    "{region}; touch PWNED",
    "{type}'; touch PWNED #",
    "EOF\ntouch PWNED",
    "\u2028touch PWNED",
    "(touch PWNED)",
  ];
  const FIELDS = ["type", "region", "image", "id", "provider", "sky"] as const;

  function subjectOf(provider: string, field: (typeof FIELDS)[number], value: string): [LaunchedListing, LaunchChoice] {
    const { takes = "instanceType", types } = launchCommands.find((one) => one.provider === provider) ?? {};
    const type =
      field === "type" ? value : types?.test("vbm-1") === true ? "vbm-1" : types === undefined ? "type-1" : "h100_x2";
    const id = field === "id" ? value : "id-1";
    const facts = {
      instanceType: type,
      providerOfferId: id,
      ...(field === "sky" && { toolNames: { sky: `a_${value}`, dstack: value } }),
    };
    const subject = listing(
      provider,
      { ...facts, [takes]: takes === "instanceType" ? type : id },
      {
        region: field === "region" ? value : "region-1",
        provider: { name: field === "provider" ? `${provider} ${value}` : provider, slug: provider },
      },
    );
    return [subject, { diskGb: 100, ...(field === "image" && { image: { id: value, displayName: value } }) }];
  }

  test("runs nothing and splits nothing: texts in a shell whose programs are stubs", () => {
    const folder = mkdtempSync(join(tmpdir(), "launch-"));
    try {
      // Functions in place of the programs: each prints how many words it got.
      const tools = new Set(launchCommands.map(({ tool: name }) => name));
      const stubs = [...tools].map((tool) => `${tool}() { printf 'CALL %s %s\\n' ${tool} $#; }`).join("\n");
      const cases = launchCommands
        .filter(({ isFile }) => isFile === undefined)
        .flatMap(({ provider }) =>
          FIELDS.flatMap((field) => {
            const harmless = subjectOf(provider, field, "harmless");
            return hostile.flatMap((value) => {
              const script = (one: LaunchedListing, of: LaunchChoice) => {
                const written = launch(one, of).texts.find(({ kind }) => kind === "cli");
                // Placeholders are files to read from until they are replaced.
                return (written?.text ?? "").replaceAll(/<([\w-]+)>/g, (placeholder, name) =>
                  written?.placeholders.includes(name) === true && value !== placeholder ? "filled" : placeholder,
                );
              };
              return value === "" || value === "<api-key>"
                ? []
                : [
                    {
                      provider,
                      field,
                      value,
                      script: script(...subjectOf(provider, field, value)),
                      expected: script(...harmless),
                    },
                  ];
            });
          }),
        );
      const run = (scripts: readonly string[]): string[] => {
        const all = [stubs, ...scripts.map((script) => `${script}\nprintf 'END\\n'`)].join("\n");
        const { stdout, stderr } = spawnSync("bash", ["-s"], {
          input: all,
          cwd: folder,
          env: { PATH: "/usr/bin:/bin" },
          maxBuffer: 2 ** 28,
        });
        expect(stderr.toString()).toBe("");
        return stdout.toString().split("END\n").slice(0, -1);
      };
      const had = cases.filter(({ script, expected }) => script !== "" && expected !== "");
      const harmless = [...new Set(had.map(({ expected }) => expected))];
      const printed = new Map(run(harmless).map((output, index) => [harmless[index], output]));
      const [got, wanted] = [run(had.map(({ script }) => script)), had.map(({ expected }) => printed.get(expected))];
      const told = (outputs: readonly (string | undefined)[]) =>
        had.map(({ provider, field, value }, index) => [provider, field, value, outputs[index]]);
      expect(had.length).toBeGreaterThan(3000);
      expect(told(got)).toEqual(told(wanted));
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("stays one scalar of YAML", () => {
    for (const value of hostile) {
      expect(parse(`key: ${yamlScalar(value)}`)).toEqual({ key: value });
    }
  });

  test("is no placeholder", () => {
    const subject = listing("azure", { instanceType: "<api-key>" }, { region: "<elsewhere>" });
    expect(launch(subject).texts.flatMap(({ placeholders }) => placeholders)).toEqual([
      "resource-group",
      "name",
      "image",
      "ip",
    ]);
  });
});

describe("any listing", () => {
  const providers = [
    "aws",
    "azure",
    "gcp",
    "vast",
    "runpod",
    "verda",
    "vultr",
    "linode",
    "digitalocean",
    "oci",
    "elsewhere",
  ];
  const subject = fc
    .tuple(arbitraryListing, fc.constantFrom(...providers))
    .map(([one, name]) => Object.assign(one, { offer: { ...one.offer, provider: { name, slug: name } } }));
  const choice = fc.record({ diskGb: fc.option(fc.nat(2000), { nil: undefined }), isSpot: fc.boolean() });

  test("without a known type has no text, and YAML has only keys that the tools know", () => {
    fc.assert(
      fc.property(subject, choice, (one, chosen) => {
        const { texts, missing } = launch(one, chosen);
        const isKnown =
          one.instanceType !== null || one.providerOfferId !== null || Object.keys(one.toolNames).length > 0;
        expect(isKnown || texts.length === 0).toBe(true);
        expect(chosen.isSpot && one.spot === null ? texts : []).toEqual([]);
        expect(texts.length + missing.length).toBe(chosen.isSpot && one.spot === null ? 0 : 3);
        for (const { kind, text: written, placeholders } of texts) {
          expect(placeholders.filter((name) => !written.includes(`<${name}>`))).toEqual([]);
          expect(written).toMatch(/To stop it and its costs:/);
          const document = kind === "cli" ? {} : parse(written);
          const [keys, resources] =
            kind === "sky" ? [["resources", "run", "num_nodes"], SKY_KEYS] : [DSTACK_KEYS, DSTACK_RESOURCES];
          expect(Object.keys(document).filter((key) => !keys.includes(key))).toEqual([]);
          expect(Object.keys(document.resources ?? {}).filter((key) => !resources.includes(key))).toEqual([]);
        }
      }),
      { seed: 20_261_125, numRuns: 500 },
    );
  });
});
