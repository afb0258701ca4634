import { present, type GpuEntry, type ListingCatalog } from "@gpu-offers/domain";
import { ResourceNotFoundError, ResourceTemplate, type McpServer } from "@modelcontextprotocol/server";
import { AgentCatalogError, listCatalogGpus, type AgentCatalog } from "./agent-catalog.js";
import { readPriceTimes } from "./oldest-price.js";

const JSON_TYPE = "application/json";

/**
 * Adds `gpu-offers://models`, `gpu-offers://providers` and `gpu-offers://offers/{id}` to a server; `onError` receives
 * errors that are not shown to the agent.
 */
export function addResources(server: McpServer, onError: (error: unknown) => void, catalog: AgentCatalog): void {
  const about = (title: string, description: string) => ({ title, description, mimeType: JSON_TYPE });
  const contentsOf = async (uri: URL, read: () => Promise<unknown>) => {
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
  };
  server.registerResource(
    "models",
    "gpu-offers://models",
    about("GPU models", "GPU models with memory, architecture and number of offers."),
    (uri) => contentsOf(uri, async () => modelRows(await listCatalogGpus(catalog))),
  );
  server.registerResource(
    "providers",
    "gpu-offers://providers",
    about("Providers", "Providers with number of offers and age of prices."),
    (uri) => contentsOf(uri, async () => providerRows(await catalog.listings(), await readPriceTimes(catalog))),
  );
  server.registerResource(
    "offer",
    // With thousands of offers, agents should use the tool instead of reading a list of resources.
    new ResourceTemplate("gpu-offers://offers/{id}", { list: undefined }),
    about("Offer", "An offer with all fields."),
    (uri, { id }) =>
      contentsOf(uri, async () => {
        const offer = await catalog.findOffer(String(id));
        if (offer === undefined) {
          throw new ResourceNotFoundError(uri.href);
        }
        return offer;
      }),
  );
}

/** Models that have offers; those that aren't in the domain's table have no family and vendor. */
function modelRows(gpus: readonly GpuEntry[]) {
  return gpus
    .filter(({ market }) => market.offers > 0)
    .map(({ slug, name, family, vendor, vramGB, architecture, market }) => ({
      slug,
      name,
      family: vendor === null ? undefined : family,
      vendor: vendor ?? undefined,
      vramGb: vramGB,
      architecture,
      offers: market.offers,
    }));
}

function providerRows({ index }: ListingCatalog, pricesAsOf: ReadonlyMap<string, string>) {
  const { codes, values } = index.parts;
  const offers = new Map<string, number>();
  for (const code of codes.provider) {
    const { name } = present(values.provider[code]);
    offers.set(name, (offers.get(name) ?? 0) + 1);
  }
  return [...offers]
    .map(([name, count]) => ({ name, offers: count, pricesAsOf: pricesAsOf.get(name) ?? null }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
