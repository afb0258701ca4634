import { findGpuModel, MAX_SLUG_LENGTH } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { findInstanceType, instanceFamilies } from "./instance-type.js";

/** `8 h100-sxm nvlink, EFA 3200 Gbps` of a documented type. */
function described(provider: string, instanceType: string): string | undefined {
  const type = findInstanceType(provider, instanceType);
  if (type === undefined) {
    return undefined;
  }
  const link = type.nvlink === null ? " nvlink?" : type.nvlink ? " nvlink" : "";
  return `${type.share ?? type.gpuCount} ${type.gpu}${link}${type.interconnect === null ? "" : `, ${type.interconnect}`}`;
}

describe("a documented instance type", () => {
  test.each([
    ["aws", "p2.16xlarge", "16 k80"],
    ["aws", "p3.2xlarge", "1 v100-sxm-16gb"],
    ["aws", "p3.8xlarge", "4 v100-sxm-16gb nvlink"],
    ["aws", "p3dn.24xlarge", "8 v100-sxm-32gb nvlink, EFA 100 Gbps"],
    ["aws", "p4d.24xlarge", "8 a100-sxm-40gb nvlink, EFA 400 Gbps"],
    ["aws", "p4de.24xlarge", "8 a100-sxm-80gb nvlink, EFA 400 Gbps"],
    ["aws", "p5.48xlarge", "8 h100-sxm nvlink, EFA 3200 Gbps"],
    ["aws", "p5.4xlarge", "1 h100-sxm"],
    ["aws", "p5en.48xlarge", "8 h200-sxm nvlink, EFA 3200 Gbps"],
    ["aws", "p6-b200.48xlarge", "8 b200 nvlink, EFA 3200 Gbps"],
    ["aws", "u-p6e-gb200x72", "72 gb200 nvlink, EFA 28800 Gbps"],
    ["aws", "g4dn.metal", "8 t4"],
    ["aws", "g5g.16xlarge", "2 t4g"],
    ["aws", "g6f.large", "1/8 l4"],
    ["aws", "g6e.48xlarge", "8 l40s"],
    ["AWS", "P5.48XLARGE", "8 h100-sxm nvlink, EFA 3200 Gbps"],
    ["azure", "Standard_ND96isr_H100_v5", "8 h100-sxm nvlink, InfiniBand 3200 Gbps"],
    ["azure", "Standard_ND96is_H100_v5", "8 h100-sxm nvlink"],
    ["azure", "Standard_ND96is_flex_H100_v5", "8 h100-sxm nvlink"],
    ["azure", "Standard_NV28adms_V710_v5", "1 radeon-pro-v710"],
    ["azure", "Standard_ND96isrf_H200_v5", "8 h200-sxm nvlink, InfiniBand 3200 Gbps"],
    ["azure", "Standard_ND96asr_v4", "8 a100-sxm-40gb nvlink, InfiniBand 1600 Gbps"],
    ["azure", "Standard_ND96amsr_A100_v4", "8 a100-sxm-80gb nvlink, InfiniBand 1600 Gbps"],
    ["azure", "Standard_ND40rs_v2", "8 v100-sxm-32gb nvlink, InfiniBand 100 Gbps"],
    ["azure", "Standard_ND96isr_MI300X_v5", "8 mi300x, InfiniBand 3200 Gbps"],
    ["azure", "Standard_NC80adis_H100_v5", "2 h100-nvl nvlink?"],
    ["azure", "Standard_NCC40ads_H100_v5", "1 h100-nvl"],
    ["azure", "Standard_NC96ads_A100_v4", "4 a100-pcie-80gb nvlink?"],
    ["azure", "Standard_NC24rs_v3", "4 v100-pcie-16gb"],
    ["azure", "Standard_NC24r_Promo", "4 k80"],
    ["azure", "NC64as_T4_v3", "4 t4"],
    ["azure", "Standard_NV4as_v4", "1/8 mi25"],
    ["azure", "Standard_NV18ads_A10_v5", "1/2 a10"],
    ["azure", "Standard_NV72ads_A10_v5", "2 a10"],
    ["azure", "Standard_NV36adms_A10_v5", "1 a10"],
    ["azure", "Standard_NG16ads_V620_v1", "1/2 radeon-pro-v620"],
    ["oci", "BM.GPU.H100.8", "8 h100-sxm nvlink, RDMA 3200 Gbps"],
    ["oci", "BM.GPU.A100-v2.8", "8 a100-sxm-80gb nvlink, RDMA 1600 Gbps"],
    ["oci", "BM.GPU4.8", "8 a100-sxm-40gb nvlink, RDMA 1600 Gbps"],
    ["oci", "BM.GPU.L40S-NC.4", "4 l40s, RDMA 800 Gbps"],
    ["oracle", "VM.GPU3.4", "4 v100-sxm-16gb nvlink"],
    ["oci", "VM.GPU.A10.2", "2 a10"],
    ["gcp", "a2-highgpu-1g", "1 a100-sxm-40gb"],
    ["gcp", "a2-megagpu-16g", "16 a100-sxm-40gb nvlink"],
    ["gcp", "a3-edgegpu-8g-nolssd", "8 h100-sxm nvlink"],
    ["gcp", "a3-ultragpu-8g", "8 h200-sxm nvlink, RDMA 3200 Gbps"],
    ["gcp", "a4x-maxgpu-4g-metal", "4 gb300 nvlink, RDMA 3200 Gbps"],
    ["gcp", "g2-standard-32", "1 l4"],
    ["gcp", "g2-standard-24", "2 l4"],
    ["gcp", "g4-standard-12", "1/4 rtx-pro-6000-server"],
    ["gcp", "g4-standard-384", "8 rtx-pro-6000-server"],
    ["nebius", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "8 h100-sxm nvlink, InfiniBand 3200 Gbps"],
    ["nebius", "gpu-l40s-d_4gpu-128vcpu-768gb", "4 l40s"],
    ["nebius", "gpu-h100-sxm 8gpu-128vcpu-1600gb", "8 h100-sxm nvlink, InfiniBand 3200 Gbps"],
    ["lambda", "gpu_8x_a100", "8 a100-sxm-40gb nvlink"],
    ["lambdalabs", "gpu_4x_a100", "4 a100-pcie-40gb nvlink?"],
    ["crusoe", "a100-80gb.4x", "4 a100-pcie-80gb nvlink?"],
    ["crusoe", "h100-80gb-sxm-ib.8x", "8 h100-sxm nvlink, InfiniBand 3200 Gbps"],
    ["digitalocean", "gpu-h100x8-640gb", "8 h100-sxm nvlink"],
    ["do", "gpu-mi300x1-192gb-contracted", "1 mi300x"],
    ["linode", "g2-gpu-rtx4000a4-m", "4 rtx-4000-ada"],
    ["vultr", "vbm-112c-2048gb-8-h100-gpu", "8 h100-sxm nvlink"],
    ["vultr", "vbm-64c-2048gb-8-l40-gpu", "8 l40s"],
    ["vultr", "vbm-72c-480gb-gh200-gpu", "1 gh200-96gb"],
    ["scaleway", "H100-SXM-4-80G", "4 h100-sxm nvlink"],
    ["ovhcloud", "a100-360", "2 a100-pcie-80gb nvlink?"],
  ])("of %s: %s has %s", (provider, instanceType, expected) => {
    expect(described(provider, instanceType)).toBe(expected);
  });

  test("has the vCPUs and memory that its provider states", () => {
    expect(findInstanceType("azure", "Standard_NC48ads_A100_v4")).toMatchObject({ vcpu: 48, ramGb: 440 });
    expect(findInstanceType("oci", "BM.GPU.H200.8")).toMatchObject({ vcpu: 224, ramGb: 3072 });
  });

  test.each([
    ["aws", "trn1.32xlarge"],
    ["aws", "inf2.48xlarge"],
    ["aws", "m5.large"],
    ["aws", "p5.constructor"],
    ["azure", "Standard_NP10s"],
    ["azure", "Standard_ND48isr_H100_v5"],
    ["gcp", "n1-standard-8"],
    ["gcp", "a2-highgpu-3g"],
    ["oci", "VM.Standard.E4.Flex$_2_8"],
    ["lambda", "p5.48xlarge"],
    ["somebody", "p5.48xlarge"],
    ["aws", ""],
  ])("is not %s's %j", (provider, instanceType) => {
    expect(findInstanceType(provider, instanceType)).toBeUndefined();
  });
});

describe("the tables of instance types", () => {
  const families = [...instanceFamilies.values()].flat();

  test("contain NVLink only for NVIDIA", () => {
    const linked = families.filter(({ nvlink }) => nvlink === true).map(({ gpu }) => findGpuModel(gpu)?.vendor);
    expect(new Set(linked)).toEqual(new Set(["NVIDIA"]));
  });

  test("match no longer names", () => {
    for (const { pattern } of families) {
      expect(pattern.test("x".repeat(MAX_SLUG_LENGTH * 100))).toBe(false);
    }
  });
});
