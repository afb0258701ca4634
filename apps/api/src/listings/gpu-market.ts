import { type GpuEntry, type ProviderAge, isPlainText, selectGpus, memoized } from "@gpu-offers/domain";
import { listGpus } from "@gpu-offers/domain/gpus";
import type { Snapshot } from "../catalog/snapshot.js";
import { EncodedContent, TaggedBody } from "../http/content.js";
import type { GpuStockList } from "@gpu-offers/domain/history";
import { ApiError } from "../wire/api-error.js";

/** The GPUs of one catalog with the age of its prices, built when they are first needed. */
export class GpuMarket {
  readonly #bodies = new Map<string, TaggedBody>();
  #gpus: readonly GpuEntry[] | undefined;
  #list: EncodedContent | undefined;

  constructor(
    readonly snapshot: Snapshot,
    readonly ageOf: (provider: string) => ProviderAge | undefined,
  ) {}

  get gpus(): readonly GpuEntry[] {
    this.#gpus ??= listGpus(this.snapshot.market, this.ageOf);
    return this.#gpus;
  }

  /** The response with all GPUs. Compressed it has a twentieth of the size, because many figures have the same source. */
  get list(): EncodedContent {
    this.#list ??= EncodedContent.of(Buffer.from(JSON.stringify({ gpus: this.gpus })));
    return this.#list;
  }

  /** The response with one GPU; undefined if there is none with this slug. */
  find(slug: string): TaggedBody | undefined {
    const gpu = this.gpus.find((known) => known.slug === slug);
    return gpu && memoized(this.#bodies, slug, () => TaggedBody.ofJson(gpu));
  }
}

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
  const list = new TextDecoder().decode(stock.gpus.get(slug));
  return { asOf: stock.asOf, stock: JSON.parse(`[${list}]`) as GpuStockList["stock"] };
}
