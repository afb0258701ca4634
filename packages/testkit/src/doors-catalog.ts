import { nativeImage, nativeRow, type NativeRow } from "./native-catalogs.ts";

// A small catalog for the tests of every parameter of the listing query on every door.

/** A machine that no other row is like. */
const row = (at: number, changes: Partial<NativeRow> & Record<string, unknown>): NativeRow =>
  nativeRow({
    provider: "aws",
    instanceType: `type-${at}`,
    region: "us-east-1",
    countryCode: "US",
    priceHourly: 3 + at / 10,
    ...changes,
  });

const host = { seller: "host", instanceType: "4090x1" };
/** Offers of which every parameter of the listing query excludes some, or that it orders otherwise. */
export const DOORS_ROWS: readonly NativeRow[] = [
  row(0, {
    gpuCount: 8,
    priceHourly: 31,
    specs: { vcpu: 192, ram: 2048, disk: 0 },
    interconnect: "InfiniBand 3200 Gbps",
    listing: { instanceType: "p5.48xlarge", seller: "cloud", spot: { priceHourly: 12, kind: "price" } },
  }),
  row(1, { listing: { instanceType: "p5.4xlarge", seller: "cloud", spot: { priceHourly: 1.7, kind: "price" } } }),
  row(2, {
    provider: "lambda",
    region: "eu-central-1",
    countryCode: "DE",
    gpuCount: 8,
    priceHourly: 24,
    listing: { instanceType: "gpu_8x_h100_sxm5", seller: "cloud" },
  }),
  row(3, { provider: "lambda", gpu: "h200", isAvailable: false, listing: { instanceType: "h200x1", seller: "cloud" } }),
  row(4, { provider: "verda", gpu: "l40s", region: "FIN-01", countryCode: "FI", priceHourly: 0.9, gpuCount: 2 }),
  row(5, {
    provider: "vast",
    gpu: "rtx-4090",
    region: "Oslo",
    countryCode: "NO",
    priceHourly: 0.35,
    listing: { ...host, verified: true },
  }),
  row(6, {
    provider: "vast",
    gpu: "rtx-4090",
    priceHourly: 0.25,
    listing: { ...host, verified: false, spot: { priceHourly: 0.1, kind: "bid" } },
  }),
  row(7, {
    provider: "vast",
    gpu: "rtx-3090",
    region: "Tokyo",
    countryCode: "JP",
    priceHourly: 0.2,
    listing: { ...host, seller: "partner" },
  }),
  row(8, {
    provider: "verda",
    gpu: "a100-pcie-80gb",
    deploymentType: "bare-metal",
    region: "FIN-01",
    countryCode: "FI",
    priceHourly: 1.4,
  }),
  // No volume can be added to the disk of this provider
  row(9, {
    provider: "fjord",
    gpu: "mi300x",
    region: "FIN-01",
    countryCode: "FI",
    priceHourly: 2,
    storage: { costPerGB: 0.0001, minGB: 50, maxGB: 100 },
  }),
];
/** The images of each of its providers. */
export const DOORS_IMAGES = [
  nativeImage("plain", { displayName: "Debian 12", isDefault: true }),
  nativeImage("ubuntu-22.04", {
    displayName: "Ubuntu 22.04",
    hasCuda: true,
    cudaVersion: "12.4",
    instanceTypes: ["p5.48xlarge", "p5.4xlarge", "h200x1"],
  }),
];
