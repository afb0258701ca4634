import type { SampleOutcome } from "../sample-outcome.fixture.js";
import { zipSync } from "fflate";

const gpuhuntCsv = [
  "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags",
  "a2-ultragpu-2g,us-central1-a,10.13,24,340.0,2,A100,80.0,False,,nvidia,",
  "a2-ultragpu-2g,us-central1-a,4.01,24,340.0,2,A100,80.0,True,,nvidia,",
  "n2-standard-4,us-central1-a,0.19,4,16.0,0,,,False,,,",
  "",
].join("\n");

export const gpuhunt = {
  version: "20261121-6\n",
  catalog: zipSync({ "gcp.csv": new TextEncoder().encode(gpuhuntCsv) }, { mtime: "2026-11-21" }),
};

export const expected: SampleOutcome = {
  offers: [
    "2 a100-sxm-80gb, $10.13, us-central1-a (US), 24 vCPU 340 GB 0 GB disk, 0-0 GB at 0, available, nvlink, at least",
  ],
  rejections: ["spot_only"],
  skipped: 1,
};
