import type { ListedOffer } from "@gpu-offers/domain";
import type { AgentCatalog } from "./agent-catalog.js";
import { ToolArgumentError } from "./argument-error.js";

/**
 * The offers with the given ids, in order.
 * @throws ToolArgumentError that lists all unknown ids.
 */
export async function getOffers(catalog: AgentCatalog, ids: readonly string[]): Promise<ListedOffer[]> {
  const found = await Promise.all(ids.map((id) => catalog.findOffer(id)));
  const unknown = ids.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) {
    throw new ToolArgumentError(
      unknown.map((id) => `${JSON.stringify(id)} is not the id of a current offer. Call find_gpu_offers again.`),
    );
  }
  return found.filter((offer) => offer !== undefined);
}
