import type { Catalog } from "./catalog.js";
import type { PageStore } from "./page-state.js";
import * as service from "./service.js";

/** The GPU whose prices are shown first. */
const FIRST_GPU = "h100-sxm";

/** Loads what the view of GPUs shows. */
export class GpuModels {
  /** Whose models are loaded. */
  #catalog: Catalog | undefined;

  constructor(private readonly store: PageStore) {}

  /** Loads the models of this catalog, and the prices of one: the first of names separated by commas. */
  async show(name: string | undefined): Promise<void> {
    try {
      const { catalog, gpus: last } = this.store.state;
      const gpus = (this.#catalog === catalog ? last.gpus : undefined) ?? (await service.listGpus()).gpus;
      this.#catalog = catalog;
      const shown = name?.split(",")[0] ?? gpus.find(({ slug }) => slug === FIRST_GPU)?.slug ?? gpus[0]?.slug;
      const { prices: before } = this.store.state.gpus;
      this.store.update({
        gpus: { gpus, ...(before !== undefined && { prices: before }), ...(shown !== undefined && { shown }) },
      });
      if (shown !== undefined) {
        const prices = await service.getGpuPrices(shown);
        if (this.store.state.gpus.shown === shown) {
          this.store.update({ gpus: { gpus, shown, prices } });
        }
      }
    } catch (error) {
      this.store.update({ gpus: { ...this.store.state.gpus, problem: service.messageOf(error) } });
    }
  }
}
