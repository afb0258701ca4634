import { Injectable } from "@nestjs/common";
import type { GpuEntry, ProviderAge } from "@gpu-offers/domain";
import { listGpus } from "@gpu-offers/domain/gpus";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { EncodedContent, TaggedBody } from "../http/content.js";
import type { Freshness } from "@gpu-offers/store/freshness";

/** The GPUs of one catalog with the age of its prices, built when they are first needed. */
export class GpuMarket {
  readonly #ages: ReadonlyMap<string, ProviderAge>;
  readonly #bodies = new Map<string, TaggedBody>();
  #gpus: readonly GpuEntry[] | undefined;
  #list: EncodedContent | undefined;

  constructor(
    readonly snapshot: Snapshot,
    freshness: Freshness,
  ) {
    const sources = freshness.describe(snapshot.countByProvider());
    this.#ages = new Map(
      sources.flatMap(({ providers, pricesAsOf, stock }) =>
        providers.map((provider) => [provider, { pricesAsOf, stock }] as const),
      ),
    );
  }

  /** The age of a provider's prices. */
  readonly ageOf = (provider: string): ProviderAge | undefined => this.#ages.get(provider);

  /** All GPUs. */
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
    if (gpu === undefined) {
      return undefined;
    }
    const body = this.#bodies.get(slug) ?? TaggedBody.ofJson(gpu);
    this.#bodies.set(slug, body);
    return body;
  }
}

/** Keeps the GPUs of the served catalog until it, its facts or the age of its prices change. */
@Injectable()
export class GpuMarketCache {
  /** @throws NoCatalogError until a catalog is loaded. */
  readonly get: () => GpuMarket;

  constructor(catalog: Catalog) {
    this.get = catalog.derive((snapshot, freshness) => new GpuMarket(snapshot, freshness));
  }
}
