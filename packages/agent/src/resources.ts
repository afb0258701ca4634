import { findGpuModel, gpuModels, type Offer } from "@gpu-offers/domain";
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import { AgentCatalogError, type AgentCatalog } from "./agent-catalog.js";
import { readPriceTimes } from "./oldest-price.js";

const JSON_TYPE = "application/json";

/**
 * Adds `gpu-offers://models`, `gpu-offers://providers` and `gpu-offers://offers/{id}` to a server; `onError` receives
 * errors that are not shown to the agent.
 */
export function addResources(server: McpServer, onError: (error: unknown) => void, catalog: AgentCatalog): void {
  server.registerResource(
    "models",
    "gpu-offers://models",
    {
      title: "GPU models",
      description: "GPU models with memory, architecture and number of offers.",
      mimeType: JSON_TYPE,
    },
    (uri) => contentsOf(uri, onError, async () => modelRows(await catalog.listOffers())),
  );
  server.registerResource(
    "providers",
    "gpu-offers://providers",
    {
      title: "Providers",
      description: "Providers with number of offers and age of prices.",
      mimeType: JSON_TYPE,
    },
    (uri) =>
      contentsOf(uri, onError, async () => providerRows(await catalog.listOffers(), await readPriceTimes(catalog))),
  );
  server.registerResource(
    "offer",
    // With thousands of offers, agents should use the tool instead of reading a list of resources.
    new ResourceTemplate("gpu-offers://offers/{id}", { list: undefined }),
    { title: "Offer", description: "An offer with all fields.", mimeType: JSON_TYPE },
    (uri, { id }) =>
      contentsOf(uri, onError, async () => {
        const offer = await catalog.findOffer(String(id));
        if (offer === undefined) {
          throw new ResourceNotFoundError(uri.href);
        }
        return offer;
      }),
  );
}

async function contentsOf(uri: URL, onError: (error: unknown) => void, read: () => Promise<unknown>) {
  try {
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(await read()) }] };
  } catch (error) {
    if (error instanceof ResourceNotFoundError || error instanceof AgentCatalogError) {
      throw error;
    }
    onError(error);
    // The SDK sends the message of an error to the agent, so the cause must not be in it.
    throw new Error(`${uri.href} failed unexpectedly. Try again later.`, { cause: error });
  }
}

/** Models that have offers; those that aren't in the domain's table have no family and vendor. */
function modelRows(offers: readonly Offer[]) {
  const counts = countBy(offers, ({ gpu }) => gpu.slug);
  const known = gpuModels
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
  const others = new Map(offers.map(({ gpu }) => [gpu.slug, gpu]));
  const unknown = [...others.values()]
    .filter(({ slug }) => findGpuModel(slug) === undefined)
    .map(({ slug, name, vramGB, architecture }) => ({
      slug,
      name,
      vramGb: vramGB,
      architecture,
      offers: counts.get(slug),
    }));
  return [...known, ...unknown];
}

function providerRows(offers: readonly Offer[], pricesAsOf: ReadonlyMap<string, string>) {
  return [...countBy(offers, ({ provider }) => provider.name)]
    .map(([name, count]) => ({ name, offers: count, pricesAsOf: pricesAsOf.get(name) ?? null }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function countBy(offers: readonly Offer[], keyOf: (offer: Offer) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const offer of offers) {
    const key = keyOf(offer);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
