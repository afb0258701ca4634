import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { LAUNCH_COMMANDS } from "./launch-commands.js";
import type { LaunchChoice, LaunchedListing, LaunchKind } from "./launch-text.js";
import { launch } from "./launch.js";
import { skyClouds } from "./tool-names.facts.js";
import { listingFacts } from "../offer/listing.js";
import type { StatedFacts } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { arbitraryListing, exampleOffer } from "../offer.fixture.js";
import { providerKey } from "../provider/provider-key.js";

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
  return launch(subject, choice).find((one) => one.kind === kind)?.text;
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

describe("a SkyPilot task", () => {
  test("is looked up by keys of providers", () => {
    expect([...skyClouds.keys()].filter((key) => providerKey(key) !== key)).toEqual([]);
  });

  test("asks for the instance type in its region, not in a zone, whose id differs by account", () => {
    expect(parse(text("sky", p5, { diskGb: 500 }) ?? "")).toEqual({
      resources: { infra: "aws/us-east-1", instance_type: "p5.48xlarge", disk_size: 500, use_spot: false },
      run: "nvidia-smi",
    });
    expect(text("sky", p5, { isSpot: true })).toContain("use_spot: true");
  });

  test("uses SkyPilot's own name where it has one, else the accelerators", () => {
    const named = listing("runpod", {
      instanceType: "NVIDIA H100 80GB HBM3",
      toolNames: { sky: "8x_H100-SXM_SECURE" },
    });
    expect(parse(text("sky", named) ?? "").resources).toMatchObject({ instance_type: "8x_H100-SXM_SECURE" });
    const unnamed = listing("runpod", { instanceType: "NVIDIA H100 80GB HBM3" });
    const { resources } = parse(text("sky", unnamed) ?? "");
    expect(resources).toMatchObject({ accelerators: "H100:8" });
    expect(resources).not.toHaveProperty("instance_type");
  });

  test("has an image only in a form that SkyPilot takes", () => {
    const image = (id: string) => ({ image: { id, displayName: id } });
    expect(text("sky", p5, image("ami-0123"))).toContain("image_id: ami-0123");
    expect(text("sky", p5, image("resolve:ssm:/aws/service/ami"))).not.toContain("image_id");
    const azure = listing("azure", { instanceType: "Standard_ND96isr_H100_v5" });
    expect(parse(text("sky", azure, image("microsoft-dsvm:ubuntu-hpc:2204:latest")) ?? "").resources).toMatchObject({
      image_id: "microsoft-dsvm:ubuntu-hpc:2204:latest",
    });
    const gcp = listing("gcp", { instanceType: "a3-highgpu-8g" });
    expect(text("sky", gcp, image("projects/p/global/images/family/f"))).not.toContain("image_id");
    const pod = listing("runpod", { instanceType: "NVIDIA H100 80GB HBM3" }, { deploymentType: "container" });
    expect(parse(text("sky", pod, image("runpod/pytorch:1.0")) ?? "").resources).toMatchObject({
      image_id: "docker:runpod/pytorch:1.0",
    });
  });

  test("names the card beside Google's N1 machines", () => {
    const t4 = { gpu: { name: "T4", slug: "t4", vramGB: 16, architecture: "Turing" }, gpuCount: 1, region: "us-west1" };
    const n1 = listing("gcp", { instanceType: "n1-standard-8" }, t4);
    expect(parse(text("sky", n1) ?? "").resources).toMatchObject({
      infra: "gcp/us-west1",
      instance_type: "n1-standard-8",
      accelerators: "T4:1",
    });
    expect(text("cli", n1)).toBeUndefined();
  });

  test("names RunPod's country and data center as SkyPilot does, and no region that is unknown", () => {
    const dutch = { ...exampleOffer().regionInfo, countryCode: "NL", countryName: "Netherlands" };
    const infraOf = (subject: LaunchedListing): unknown => parse(text("sky", subject) ?? "").resources.infra;
    const pod = (region: string, regionInfo = dutch) =>
      listing("runpod", { instanceType: "NVIDIA H100 80GB HBM3" }, { region, regionInfo });
    expect(["EU-NL-1", "NL/EU-NL-1", "NL"].map((region) => infraOf(pod(region)))).toEqual([
      "runpod/NL/EU-NL-1",
      "runpod/NL/EU-NL-1",
      "runpod/NL",
    ]);
    const nowhere = pod("unknown", { ...dutch, countryCode: "ZZ" });
    expect(infraOf(nowhere)).toBe("runpod");
    expect(text("dstack", nowhere)).not.toContain("regions");
    expect(text("dstack", pod("NL"))).not.toContain("regions");
    expect(parse(text("dstack", pod("NL/EU-NL-1")) ?? "").regions).toEqual(["EU-NL-1"]);
    expect(text("cli", pod("NL/EU-NL-1"))).toContain('"EU-NL-1"');
    expect(infraOf(listing("oci", { instanceType: "BM.GPU.H100.8" }, { region: "unknown" }))).toBe("oci");
  });

  test("is only for clouds that SkyPilot has", () => {
    expect(text("sky", listing("linode", { instanceType: "g2-gpu-rtx4000a1-s" }))).toBeUndefined();
    expect(
      parse(text("sky", listing("digitalocean", { instanceType: "gpu-h100x8-640gb" })) ?? "").resources.infra,
    ).toBe("do/NORWAY-1");
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
    });
  });

  test("names Vast's ask as text, because a number is not a name", () => {
    const ask = listing("vast", { providerOfferId: "384826", seller: "host" });
    expect(parse(text("dstack", ask) ?? "")).toMatchObject({ backends: ["vastai"], instance_types: ["384826"] });
    const type = listing("runpod", { instanceType: "NVIDIA A100 80GB PCIe" });
    expect(parse(text("dstack", type) ?? "")).toMatchObject({ instance_types: ["NVIDIA A100 80GB PCIe"] });
  });
});

describe("a provider's command", () => {
  test("has what is known, and names what isn't", () => {
    const command = launch(p5, { diskGb: 500, isSpot: true }).find(({ kind }) => kind === "cli");
    expect(command).toMatchObject({ tool: "aws", placeholders: ["ami-id", "key-pair"] });
    expect(command?.text.replaceAll(" \\\n  ", " ")).toBe(
      "aws ec2 run-instances --region us-east-1 --instance-type p5.48xlarge --image-id <ami-id> --key-name <key-pair> --block-device-mappings 'DeviceName=/dev/sda1,Ebs={VolumeSize=500}' --instance-market-options MarketType=spot\n",
    );
  });

  test("has a placeholder for a region that is unknown", () => {
    for (const { provider, takes = "instanceType", prefix = "" } of LAUNCH_COMMANDS) {
      const subject = listing(provider, { [takes]: `${prefix}type` }, { region: "unknown" });
      expect(launch(subject).find(({ kind }) => kind === "cli")?.text).not.toContain("unknown");
    }
  });

  test("bids on Vast's asks, and rents them at their price otherwise", () => {
    const ask = listing("vast", { providerOfferId: "384826", spot: { priceHourly: 9.5, kind: "bid" } });
    expect(text("cli", ask, { diskGb: 100 })).toContain("vastai create instance 384826");
    expect(text("cli", ask, { diskGb: 100 })).not.toContain("bid_price");
    expect(text("cli", ask, { isSpot: true })).toContain("--bid_price 9.5");
  });

  test("tells RunPod's clouds apart by the seller", () => {
    const facts = { instanceType: "NVIDIA H100 80GB HBM3" };
    expect(text("cli", listing("runpod", { ...facts, seller: "partner" }))).toContain('"cloud": "SECURE"');
    expect(text("cli", listing("runpod", { ...facts, seller: "host" }))).toContain('"cloud": "COMMUNITY"');
  });

  test("takes Google's image family apart", () => {
    const gcp = listing("gcp", { instanceType: "a3-highgpu-8g" });
    const id = "projects/deeplearning-platform-release/global/images/family/common-cu129";
    const known = text("cli", gcp, { image: { id, displayName: "x" } });
    expect(known).toContain("--image-family common-cu129");
    expect(known).toContain("--image-project deeplearning-platform-release");
    expect(text("cli", gcp, { image: { id: "ubuntu", displayName: "x" } })).toContain("<image-family>");
  });

  test("quotes what a provider calls its machine", () => {
    const hostile = listing("azure", { instanceType: "Standard'; rm -rf ~" });
    expect(text("cli", hostile)).toContain(String.raw`--size 'Standard'\''; rm -rf ~'`);
  });

  test.each(LAUNCH_COMMANDS.map((launcher) => [launcher.title, launcher] as const))(
    "of %s has a source",
    (_, launcher) => {
      expect(new URL(launcher.source.url).protocol).toBe("https:");
      expect(launcher.provider).toBe(providerKey(launcher.provider));
      const type = `${launcher.prefix ?? ""}type-1`;
      const known = listing(launcher.provider, { [launcher.takes ?? "instanceType"]: type });
      const texts = launch(known).filter(({ title }) => title === launcher.title);
      expect(texts).toHaveLength(1);
      expect(texts[0]?.text).toContain(type);
    },
  );
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
        const texts = launch(one, chosen);
        const isKnown = one.instanceType !== null || one.providerOfferId !== null || one.toolNames.sky !== undefined;
        expect(isKnown || texts.length === 0).toBe(true);
        expect(chosen.isSpot && one.spot === null ? texts : []).toEqual([]);
        for (const { kind, text: written, placeholders } of texts) {
          expect([...written.matchAll(/<([^<>\n]+)>/g)].every(([, name]) => placeholders.includes(name ?? ""))).toBe(
            true,
          );
          const document = kind === "cli" ? {} : parse(written);
          const [keys, resources] = kind === "sky" ? [["resources", "run"], SKY_KEYS] : [DSTACK_KEYS, DSTACK_RESOURCES];
          expect(Object.keys(document).filter((key) => !keys.includes(key))).toEqual([]);
          expect(Object.keys(document.resources ?? {}).filter((key) => !resources.includes(key))).toEqual([]);
        }
      }),
      { seed: 20_261_125, numRuns: 500 },
    );
  });
});
