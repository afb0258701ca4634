import type { ListedOffer } from "@gpu-offers/domain";
import type { AgentCatalog } from "./agent-catalog.js";
import { ToolArgumentError } from "./argument-error.js";

/**
 * The offers with the given ids, in order, with what their sources state beyond them.
 * @throws ToolArgumentError that lists all unknown ids.
 */
export async function getOffers(catalog: AgentCatalog, ids: readonly string[]): Promise<ListedOffer[]> {
  const found = await Promise.all(
    ids.map(async (id): Promise<ListedOffer | undefined> => {
      const [offer, listing] = await Promise.all([catalog.findOffer(id), catalog.findFacts(id)]);
      return offer && { ...offer, listing };
    }),
  );
  const unknown = ids.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    throw new ToolArgumentError(
      unknown.map((id) => `${JSON.stringify(id)} is not the id of a current offer. Call find_gpu_offers again.`),
    );
  }
  return found.filter((offer) => offer !== undefined);
}
