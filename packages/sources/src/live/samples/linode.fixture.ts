import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const linode = {
  "linode/types": {
    data: [
      {
        id: "g2-gpu-rtx4000a2-s",
        label: "RTX4000 Ada x2 Small",
        gpus: 2,
        price: { hourly: 1.04 },
        region_prices: [{ id: "br-gru", hourly: 1.4 }],
        memory: 32_768,
        disk: 524_288,
        vcpus: 8,
        class: "gpu",
      },
      {
        id: "g6-nanode-1",
        label: "Nanode 1GB",
        gpus: 0,
        price: { hourly: 0.0075 },
        region_prices: [],
        class: "nanode",
      },
    ],
    page: 1,
    pages: 1,
    results: 2,
  },
  regions: {
    data: [
      { id: "br-gru", country: "br", label: "Sao Paulo, BR", capabilities: ["Linodes", "GPU Linodes"] },
      { id: "us-ord", country: "us", label: "Chicago, IL", capabilities: ["Linodes"] },
    ],
    page: 1,
    pages: 1,
    results: 2,
  },
  "network-transfer/prices": {
    data: [
      { id: "distributed_network_transfer", price: { hourly: 0.01, monthly: null }, region_prices: [] },
      {
        id: "network_transfer",
        price: { hourly: 0.005, monthly: null },
        region_prices: [{ id: "br-gru", hourly: 0.007, monthly: null }],
      },
    ],
    page: 1,
    pages: 1,
    results: 2,
  },
  images: {
    data: [
      { id: "linode/ubuntu24.04", label: "Ubuntu 24.04 LTS", is_public: true, deprecated: false, status: "available" },
      { id: "linode/debian13", label: "Debian 13", is_public: true, deprecated: false, status: "available" },
      { id: "linode/centos7", label: "CentOS 7", is_public: true, deprecated: true, status: "available" },
      { id: "private/15", label: "Mine", is_public: false, deprecated: false, status: "available" },
    ],
    page: 1,
    pages: 1,
    results: 4,
  },
  "regions/availability": {
    data: [
      { region: "br-gru", plan: "g2-gpu-rtx4000a2-s", available: false },
      { region: "us-ord", plan: "g2-gpu-rtx4000a2-s", available: true },
      { region: "us-ord", plan: "g6-nanode-1", available: true },
    ],
    page: 1,
    pages: 1,
    results: 3,
  },
};

export const expected: SampleOutcome = {
  offers: [
    "2 rtx-4000-ada, $1.4, br-gru (BR), 8 vCPU 32 GB 512 GB disk, 512-512 GB at 0",
    "2 rtx-4000-ada, $1.04, us-ord (US), 8 vCPU 32 GB 512 GB disk, 512-512 GB at 0, available",
  ],
  rejections: [],
  skipped: 1,
};
