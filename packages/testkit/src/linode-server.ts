import { json, startReplay, type Replay, type ReplayServer } from "./replay-server.ts";
import { tempFile } from "./native-catalogs.ts";

// A small handwritten API of one provider on the loopback: four GPU plans in two regions.

const REGIONS = [
  { id: "us-southeast", country: "us", label: "Atlanta, GA", capabilities: ["GPU Linodes"] },
  { id: "eu-central", country: "de", label: "Frankfurt, DE", capabilities: ["GPU Linodes"] },
];

const plan = (gpus: number, hourly: number) => ({
  id: `g1-gpu-rtx6000-${gpus}`,
  label: `Dedicated ${32 * gpus}GB + RTX6000 GPU x${gpus}`,
  gpus,
  price: { hourly, monthly: hourly * 667 },
  region_prices: [],
  memory: 32_768 * gpus,
  disk: 655_360 * gpus,
  vcpus: 8 * gpus,
  class: "gpu",
});

/** The response to a request, with every price multiplied by a factor. */
export function linodeReplay(target: string, factor = 1): Replay {
  const page = (data: readonly unknown[]) => json({ data, page: 1, pages: 1, results: data.length });
  if (target.includes("/linode/types")) {
    return page([1, 2, 3, 4].map((gpus) => plan(gpus, 1.5 * gpus * factor)));
  }
  if (target.includes("/regions/availability")) {
    return page([{ region: "us-southeast", plan: "g1-gpu-rtx6000-1", available: true }]);
  }
  if (target.includes("/network-transfer/prices")) {
    return page([{ id: "network_transfer", price: { hourly: 0.005, monthly: null }, region_prices: [] }]);
  }
  if (target.includes("/images")) {
    return page([{ id: "linode/ubuntu24.04", label: "Ubuntu 24.04 LTS", is_public: true, deprecated: false }]);
  }
  return target.includes("/regions") ? page(REGIONS) : { status: 404 };
}

export function startLinode(): Promise<ReplayServer> {
  return startReplay(({ target }) => linodeReplay(target));
}

/** Settings that point live sources to a test server. */
export function liveSettings(
  { url }: Pick<ReplayServer, "url">,
  sources: readonly string[],
  more = "",
): Record<string, string> {
  const lines = sources.map((name) => `  ${name}: { base: "${url}"${more} }`);
  return {
    SOURCES_FILE: tempFile("sources.yaml", ["sources:", ...lines].join("\n")),
    SOURCES_ALLOW_PRIVATE: "true",
  };
}
