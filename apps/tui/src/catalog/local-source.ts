import { LoadedSource } from "./loaded-source.js";
import type { OfferSource } from "./offer-source.js";

/** Options of a local source. */
interface LocalOptions {
  /** The folder of fetched prices; undefined if there is none. */
  folder: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  userAgent: string;
}

/** {@link OfferSource.place} of a local source. */
export const LOCAL_PLACE = "local prices";

/** Offers without a server: prices fetched before, or else the starter catalog. It can fetch current prices. */
export function localSource(options: LocalOptions): OfferSource {
  const source = new LoadedSource({
    place: LOCAL_PLACE,
    options: "",
    read: async () => {
      const { readLocalCatalog } = await import("./local-catalog.js");
      return readLocalCatalog(options.folder);
    },
    isReread: false,
    noAccount: "there is no account without a server. Set GPU_OFFERS_URL.",
    live: {
      fetch: async (onProgress, signal) => {
        const { fetchLivePrices } = await import("./live-fetch.js");
        await fetchLivePrices({
          ...options,
          signal,
          onProgress: (progress) => {
            // What has arrived is listed from now on.
            source.forget();
            onProgress(progress);
          },
        });
      },
      refetch: async (provider) => {
        const { refetchProvider } = await import("./live-fetch.js");
        const progress = await refetchProvider(provider, options);
        source.forget();
        return progress;
      },
    },
  });
  return source;
}
