import * as fc from "fast-check";
import { expect, test } from "vitest";
import { machineSize } from "./machine-size.js";

test.each([
  [24, {}, { vcpu: 6, ramGb: 24 }],
  [640, {}, { vcpu: 160, ramGb: 640 }],
  // More vCPUs for the memory, fewer than the memory would get, or less memory than the GPUs have.
  [24, { minVcpuPerGb: 0.259109, maxVcpuPerGb: 1.036437 }, { vcpu: 7, ramGb: 24 }],
  [80, { maxVcpu: 12 }, { vcpu: 12, ramGb: 80 }],
  [80, { maxRamGb: 30.9 }, { vcpu: 8, ramGb: 30 }],
  [80, { maxVcpu: 4, minVcpuPerGb: 0.25 }, { vcpu: 4, ramGb: 16 }],
  [4, { minVcpu: 8, maxVcpuPerGb: 1 }, { vcpu: 8, ramGb: 8 }],
  [24, { maxVcpu: 0 }, undefined],
  [24, { maxRamGb: 0.5 }, undefined],
  [4, { minVcpu: 8, maxVcpuPerGb: 1, maxRamGb: 6 }, undefined],
])("a machine for %j GB and the limits %j is %j", (vramGb, limits, size) => {
  expect(machineSize(vramGb, limits)).toEqual(size);
});

test("a machine is always within its limits", () => {
  const limit = fc.double({ min: 0, max: 1000, noNaN: true });
  const limits = fc.record({
    minVcpu: limit,
    maxVcpu: limit,
    minVcpuPerGb: fc.double({ min: 0, max: 4, noNaN: true }),
    maxVcpuPerGb: fc.double({ min: 0, max: 4, noNaN: true }),
    maxRamGb: limit,
  });
  fc.assert(
    fc.property(fc.double({ min: 1, max: 2000, noNaN: true }), limits, (vramGb, bounds) => {
      const size = machineSize(vramGb, bounds);
      if (size === undefined) {
        return;
      }
      const { vcpu, ramGb } = size;
      expect([vcpu, ramGb].every((count) => Number.isInteger(count) && count >= 1)).toBe(true);
      expect(vcpu >= bounds.minVcpu && vcpu <= bounds.maxVcpu && ramGb <= bounds.maxRamGb).toBe(true);
      expect(vcpu >= ramGb * bounds.minVcpuPerGb && vcpu <= ramGb * bounds.maxVcpuPerGb).toBe(true);
    }),
    { seed: 20_261_123 },
  );
});
