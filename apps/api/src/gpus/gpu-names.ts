import { isPlainText, selectGpus } from "@gpu-offers/domain";
import type { GpuStockList } from "@gpu-offers/domain/history";
import type { Snapshot } from "../catalog/snapshot.js";
import { ApiError } from "../wire/api-error.js";

export const GPU_NOT_FOUND = "GPU not found.";

/** The slugs of a name. @throws ApiError not_found. */
export function selectSlugs(name: string, listed: Snapshot["listedGpus"]): readonly string[] {
  // Names are read tolerantly, but the response repeats this one.
  if (!isPlainText(name)) {
    return gpuNotFound([]);
  }
  const selection = selectGpus(name, listed);
  return selection.kind === "unknown" ? gpuNotFound(selection.nearest) : selection.slugs;
}

/** Says which GPUs have names like it. @throws ApiError always. */
export function gpuNotFound(nearest: readonly string[]): never {
  if (nearest.length === 0) {
    throw new ApiError("not_found", `${GPU_NOT_FOUND} GET /api/v2/gpus lists all slugs.`);
  }
  const reason = `is unknown; did you mean ${nearest.slice(0, 10).join(", ")}?`;
  throw new ApiError("not_found", `${GPU_NOT_FOUND} Did you mean ${nearest.slice(0, 10).join(", ")}?`, [
    { in: "path", name: "slug", reason },
  ]);
}

/** What is remembered of the stock of a slug, by provider, size and region. */
export function rememberedStock(slug: string, { stock }: Pick<Snapshot, "stock">): Omit<GpuStockList, "gpu"> {
  // The snapshot has what responses are made of
  return { asOf: stock.asOf, stock: JSON.parse(`[${stock.gpus.get(slug) ?? ""}]`) as GpuStockList["stock"] };
}
