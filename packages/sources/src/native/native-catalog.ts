import { issueText } from "../issue-text.js";
import { machineItem } from "../machine.js";
import { invalidOffer } from "../published-offer.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { rejectionItem, type SourceImage, type SourceItem } from "../source-item.js";
import { nativeMachine, type NativeOptions } from "./native-offer.js";
import { nativeOfferSchema, nativeProviderSchema, type NativeProvider } from "./native-schema.js";

/** Reads the providers and offers of one native source, in either of its forms, in order. */
export class NativeCatalog {
  readonly #providers = new Map<string, NativeProvider>();

  constructor(private readonly options: NativeOptions) {}

  /**
   * @throws SourceError for an invalid or duplicate provider: all of its offers and images would be missing.
   */
  readProvider(value: unknown, where: string): SourceItem {
    const result = nativeProviderSchema.safeParse(value);
    if (!result.success) {
      throw new SourceError(`The provider is not valid: ${issueText(result.error)}.`, where);
    }
    const { name, type, asOf, images, sample } = result.data;
    if (this.#providers.has(name)) {
      throw new SourceError(`The provider ${showValue(name)} is defined twice. Merge the two definitions.`, where);
    }
    this.#providers.set(name, result.data);
    const provider = {
      name,
      type,
      ...(asOf === undefined ? {} : { asOf }),
      ...(images === undefined ? {} : { images: images.map(withoutUndefined) }),
      ...(sample === undefined ? {} : { sample }),
    };
    return { kind: "provider", where, provider };
  }

  /** An offer, or its rejection. */
  readOffer(value: unknown, where: string): SourceItem {
    const result = nativeOfferSchema.safeParse(value);
    if (!result.success) {
      return rejectionItem(where, invalidOffer(issueText(result.error)));
    }
    const { instanceType, provider } = result.data;
    const name = typeof provider === "string" ? provider : provider.name;
    const known = this.#providers.get(name);
    if (known === undefined) {
      const reason = `The provider ${showValue(name)} is not named before the offer.`;
      return rejectionItem(where, new Rejection("unknown_provider", reason));
    }
    const item = machineItem(where, nativeMachine(result.data, known, this.options), this.options.money);
    return item.kind === "rejection" || instanceType === undefined ? item : { ...item, instanceType };
  }
}

function withoutUndefined({ instanceTypes, ...image }: NonNullable<NativeProvider["images"]>[number]): SourceImage {
  return instanceTypes === undefined ? image : { ...image, instanceTypes };
}
