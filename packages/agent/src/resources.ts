import { gpuModels, type Offer } from "@gpu-offers/domain";
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import type { AgentCatalog } from "./agent-catalog.js";

const JSON_TYPE = "application/json";

/** Adds `gpu-offers://models`, `gpu-offers://providers` and `gpu-offers://offers/{id}`. */
export function addResources(server: McpServer, catalog: AgentCatalog): void {
  server.registerResource(
    "models",
    "gpu-offers://models",
    {
      title: "GPU models",
      description: "GPU models with memory, architecture and number of offers.",
      mimeType: JSON_TYPE,
    },
    async (uri) => jsonContents(uri, modelRows(await catalog.listOffers())),
  );
  server.registerResource(
    "providers",
    "gpu-offers://providers",
    {
      title: "Providers",
      description: "Providers with number of offers and age of prices.",
      mimeType: JSON_TYPE,
    },
    async (uri) => jsonContents(uri, providerRows(await catalog.listOffers(), await catalog.pricesAsOf())),
  );
  server.registerResource(
    "offer",
    // With thousands of offers, agents should use the tool instead of reading a list of resources.
    new ResourceTemplate("gpu-offers://offers/{id}", { list: undefined }),
    { title: "Offer", description: "An offer with all fields.", mimeType: JSON_TYPE },
    async (uri, { id }) => {
      const offer = await catalog.findOffer(String(id));
      if (offer === undefined) {
        throw new ResourceNotFoundError(uri.href);
      }
      return jsonContents(uri, offer);
    },
  );
}

function jsonContents(uri: URL, value: unknown) {
  return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

/** Models that have offers. */
function modelRows(offers: readonly Offer[]) {
  const counts = countBy(offers, (offer) => offer.gpu.slug);
  return gpuModels
    .filter(({ slug }) => counts.has(slug))
    .map(({ slug, name, family, vendor, vramGb, architecture }) => ({
      slug,
      name,
      family,
      vendor,
      vramGb,
      architecture,
      offers: counts.get(slug),
    }));
}

function providerRows(offers: readonly Offer[], pricesAsOf: ReadonlyMap<string, string>) {
  const counts = countBy(offers, (offer) => offer.provider.name);
  return [...counts]
    .map(([name, count]) => ({ name, offers: count, pricesAsOf: pricesAsOf.get(name) ?? null }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function countBy(offers: readonly Offer[], keyOf: (offer: Offer) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const offer of offers) {
    counts.set(keyOf(offer), (counts.get(keyOf(offer)) ?? 0) + 1);
  }
  return counts;
}
