import type { SampleOutcome } from "../sample-outcome.fixture.js";

const gpus = (count: number) => [{ count, manufacturer: "AMD", model: "MI300X" }];

export const hotaisle = {
  user: { user: { name: "A", email: "a@example.com" }, teams: [{ handle: "a-team", name: "A team", roles: [] }] },
  virtual_machines: [
    {
      Quantity: 3,
      MinimumReservationMinutes: 1,
      OnDemandPrice: 199,
      Specs: { cpu_cores: 13, ram_capacity: 224 * 1024 ** 3, disk_capacity: 12 * 1024 ** 4, gpus: gpus(1) },
    },
  ],
  bare_metal: [
    {
      Quantity: 1,
      MinimumReservationMinutes: 10_080,
      OnDemandPrice: 1592,
      Specs: { cpu_cores: 208, ram_capacity: 2 * 1024 ** 4, disk_capacity: 120 * 1024 ** 4, gpus: gpus(8) },
    },
  ],
};

export const expected: SampleOutcome = {
  offers: ["1 mi300x, $1.99, us-michigan-1 (US), 13 vCPU 224 GB 12288 GB disk, 12288-12288 GB at 0, available"],
  rejections: ["other_terms"],
  skipped: 0,
};
