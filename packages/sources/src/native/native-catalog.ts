import { FirstPlaces } from "../first-places.js";
import { issueText } from "../issue-text.js";
import { invalidOffer } from "../published-offer.js";
import { Refusal } from "../refusal.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { itemOf, type SourceImage, type SourceItem } from "../source-item.js";
import { completeOffer } from "./native-offer.js";
import { nativeOfferSchema, nativeProviderSchema, type NativeProvider } from "./native-schema.js";

/** Reads the providers and offers of one native source, in either of its shapes, in their order. */
export class NativeCatalog {
  private readonly providers = new Map<string, NativeProvider>();
  private readonly seen: FirstPlaces;

  /** @param show Writes the place of an offer for people: `line 17`, `offers[12]`. */
  constructor(private readonly show: (place: number) => string) {
    this.seen = new FirstPlaces(show);
  }

  /**
   * @throws SourceError for a faulty provider or one that comes twice: without it, all of its offers and images
   * would be missing.
   */
  readProvider(value: unknown, where: string): SourceItem {
    const result = nativeProviderSchema.safeParse(value);
    if (!result.success) {
      throw new SourceError(`The provider is not valid: ${issueText(result.error)}.`, where);
    }
    const { name, type, asOf, images } = result.data;
    if (this.providers.has(name)) {
      throw new SourceError(`The provider ${showValue(name)} came before. Join the two.`, where);
    }
    this.providers.set(name, result.data);
    const provider = { name, type, ...(asOf === undefined ? {} : { asOf }), images: images.map(withoutUndefined) };
    return { kind: "provider", where, provider };
  }

  /** An offer, or its refusal. */
  readOffer(value: unknown, place: number): SourceItem {
    return itemOf(this.show(place), this.offerOf(value, place));
  }

  private offerOf(value: unknown, place: number) {
    const result = nativeOfferSchema.safeParse(value);
    if (!result.success) {
      return invalidOffer(issueText(result.error));
    }
    const row = result.data;
    const name = typeof row.provider === "string" ? row.provider : row.provider.name;
    const provider = this.providers.get(name);
    if (provider === undefined) {
      return new Refusal("unknown_provider", `The provider ${showValue(name)} is not named before the offer.`);
    }
    const offer = completeOffer(row, provider);
    if (offer instanceof Refusal) {
      return offer;
    }
    return this.seen.check(offer.id, place, `The offer ${offer.id}`) ?? offer;
  }
}

function withoutUndefined({ instanceTypes, ...image }: NativeProvider["images"][number]): SourceImage {
  return instanceTypes === undefined ? image : { ...image, instanceTypes };
}
