import { beforeAll, describe, expect, test } from "vitest";
import { names, present, readCatalogs, rowsOf, skipped } from "./catalogs.fixture.js";

// USD per GPU and hour, lowest and highest row, as listed in the samples' README to two decimals; H100 of azure with 8
// GPUs, where the file states 12.
const PRICES = `
  lambda: A10 .75, A100 1.29, A100-80GB 1.79, A6000 .80, H100 2.49-3.29, RTX6000 .50, V100 .55
  runpodOld: RTXA4000 .34, RTXA4500 .36, RTX4000-Ada .39, L4 .44, RTX3090 .44, RTXA5000 .44, RTX4090 .74, A40 .79
  runpodOld: RTXA6000 .79, L40 1.14, RTX6000-Ada 1.14, A100-80GB 1.99, A100-80GB-SXM 2.29, H100 4.49, H100-SXM 4.69
  vast: RTX3080 .09, RTX3060 .10-.27, V100 .11, RTX3090 .17, RTX4090 .35-.40, RTX5090 .43-.57, L40S .60, A100 .75-.87
  vast: RTXPRO6000S 1.13, H100 1.87-2.27, H200 2.24-2.65, B200 4.71
  verda: V100 .138, RTX-6000-Ada .826, A100-80GB 1.29, RTX-PRO-6000 1.69, H100 2.29, H200 3.39, B200 4.89, B300 6.99
  shadeform: A6000 .50-1.93, A100-80GB 1.35-3.28, H100 2.73-5.99, H200 4.00
  hyperstack: RTX-A4000 .15, RTX-A6000 .50, L40 1.00, A100-80G-PCIe 1.35, A100-80G-PCIe-NVLink 1.40
  hyperstack: H100-80G-PCIe 1.90, H100-80G-SXM5 2.40
  azure: K80 .18-1.19, T4 .53-1.45, V100 3.06-4.38, A100-80GB 3.67-4.92, H100 6.98-15.98
  aws: T4g .42-1.92, T4 .53-6.70, L4 .81-4.93, A10G 1.01-5.94, V100 3.06-4.23, A100 4.10-5.67, H100 12.29-13.15`;

const cases = [...PRICES.matchAll(/^ *(\w+): (.*)$/gm)].flatMap(([, catalog = "", list = ""]) =>
  [...list.matchAll(/([\w-]+) ([\d.]+)(?:-([\d.]+))?/g)].map(
    ([, gpu = "", lowest = "", highest = lowest]) => [catalog, gpu, Number(lowest), Number(highest)] as const,
  ),
);

describe.skipIf(!present)(`the sample catalogs${skipped}`, () => {
  beforeAll(readCatalogs);

  test.each(cases)("of %s sell one %s for %f to %f USD", (catalog, gpu, lowest, highest) => {
    const name = names.find((candidate) => candidate === catalog);
    const rows = name === undefined ? [] : rowsOf(name, { AcceleratorName: gpu });
    const prices = rows.flatMap(({ offer }) => offer?.pricePerGpu ?? []);
    expect(Math.abs(Math.min(...prices) - lowest)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(Math.max(...prices) - highest)).toBeLessThanOrEqual(0.01);
  });
});
