export const skypilot = {
  vms: [
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region",
    "gpu-h200-sxm_8gpu-128vcpu-1600gb,128.0,1600.0,H200,8,,28.0,,eu-north1",
    "cpu-d3_4vcpu-16gb,4.0,16.0,,,,0.1,,eu-north1",
    "",
  ].join("\n"),
  commits: [{ commit: { committer: { date: "2026-11-02T07:00:00Z" } } }],
};
