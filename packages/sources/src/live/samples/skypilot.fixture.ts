import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const skypilot = {
  vms: [
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region",
    "gpu-h200-sxm_8gpu-128vcpu-1600gb,128.0,1600.0,H200,8,,28.0,,eu-north1",
    "cpu-d3_4vcpu-16gb,4.0,16.0,,,,0.1,,eu-north1",
    "",
  ].join("\n"),
  commits: [{ commit: { committer: { date: "2026-11-02T07:00:00Z" } } }],
};

export const expected: SampleOutcome = {
  offers: [
    "8 h200-sxm, $28, eu-north1 (FI), 128 vCPU 1600 GB 0 GB disk, 0-0 GB at 0, available, nvlink, InfiniBand 3200 Gbps, at least",
  ],
  rejections: [],
  skipped: 1,
};
