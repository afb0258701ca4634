import type { OpenAPIObject } from "@nestjs/swagger";
import { offerListSchema, providerListSchema } from "@gpu-offers/domain";
import { listOffersQuerySchema } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { EncodedContent } from "../http/content.js";

// Examples of required parameters are ids of current offers and providers, so that "Try it out" works without edits.

interface Examples {
  id: string;
  /** The same id, as a query parameter. */
  offer: string;
  provider: string;
  /** Slug of its GPU. */
  slug: string;
}

/** Returns the document as JSON, with examples of the current catalog. They change only when an example is gone. */
export function documentWithLiveExamples(makeDocument: () => OpenAPIObject, catalog: Catalog): () => EncodedContent {
  let document: OpenAPIObject | undefined;
  let examples: Examples | undefined;
  let body: EncodedContent | undefined;
  return () => {
    document ??= makeDocument();
    const current = catalog.snapshot && currentExamples(catalog.snapshot, examples);
    if (body === undefined || current !== examples) {
      examples = current;
      setExamples(document, examples);
      body = EncodedContent.of(Buffer.from(JSON.stringify(document)));
    }
    return body;
  };
}

/** The previous examples if both still exist, otherwise new ones; undefined if the catalog is empty. */
function currentExamples(snapshot: Snapshot, previous: Examples | undefined): Examples | undefined {
  if (
    previous !== undefined &&
    snapshot.findOffer(previous.id) !== undefined &&
    snapshot.findImages(previous.provider, undefined) !== undefined
  ) {
    return previous;
  }
  const cheapest = listOffersQuerySchema.parse({ sort_by: "priceHourly", size: "1" });
  const [offer] = offerListSchema.parse(JSON.parse(snapshot.listOffers(cheapest).body.toString())).offers;
  const providers = providerListSchema.parse(JSON.parse(snapshot.listProviders().body.toString())).data;
  const provider = providers.find(({ name }) => name === offer?.provider.name) ?? providers[0];
  return offer && provider && { id: offer.id, offer: offer.id, provider: provider.name, slug: offer.gpu.slug };
}

function setExamples(document: OpenAPIObject, examples: Examples | undefined): void {
  for (const item of Object.values(document.paths)) {
    for (const parameter of item.get?.parameters ?? []) {
      if ("in" in parameter && parameter.required === true && examples !== undefined) {
        parameter.example = examples[parameter.name as keyof Examples];
      }
    }
  }
}
