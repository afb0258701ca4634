import type { FilteredListing } from "../listing-query/listing-parameter.js";
import type { LaunchPlan, ListingFacts } from "../offer/listing-schema.js";
import type { OsImage } from "../image/os-image-schema.js";

// The form of a text with which one launches a listing, and what is chosen of the listing. What isn't known of the choice is
// a placeholder in angle brackets.

/** Tools that a text may be for: `cli` is the provider's own command line, or its API. */
export const LAUNCH_KINDS = ["sky", "dstack", "cli"] as const;

/** One of {@link LAUNCH_KINDS}. */
export type LaunchKind = (typeof LAUNCH_KINDS)[number];

type PublishedLaunchText = LaunchPlan["launch"][number];

/** How a listing is launched. */
export interface LaunchText extends PublishedLaunchText {
  /** `sky`, `dstack` or `cli`. */
  kind: LaunchKind;
}

/** Why a tool has no text. */
export type MissingText = LaunchPlan["missing"][number];

/** What is chosen of a listing. */
export interface LaunchChoice {
  /** Whole GB of a disk that isn't the included one; undefined if there is none to choose. */
  diskGb?: number | undefined;
  /** The chosen image. */
  image?: Pick<OsImage, "id" | "displayName"> | undefined;
  /** Whether to ask for spot terms. Tools that can't have no text then. */
  isSpot?: boolean | undefined;
  /** How far the price may rise before the texts no longer rent, in percent; default: {@link CEILING_PERCENT}. */
  ceilingPercent?: number | undefined;
  /** Number of machines; default: 1. */
  nodes?: number | undefined;
}

/** What is needed of a listing. */
export type LaunchedListing = Pick<FilteredListing, "offer" | "storage" | "isCostComplete"> &
  Pick<ListingFacts, "instanceType" | "providerOfferId" | "seller" | "toolNames" | "spot"> &
  Partial<Pick<ListingFacts, "availability" | "verified" | "reliability" | "sample">>;

/** What encloses the name of a placeholder until the text is whole: characters for private use, unlike those of catalogs. */
const [OPENING, CLOSING] = ["\ue000", "\ue001"];
const PLACEHOLDER = new RegExp(`${OPENING}(.*?)${CLOSING}`, "g");

/** A text to replace before {@link launchText} is used: `<key-pair>`. */
export function blank(name: string): string {
  return `${OPENING}${name}${CLOSING}`;
}

/** A text, with the placeholders that it has. Angle brackets of a catalog aren't one. */
export function launchText({ text, source, ...heading }: Omit<LaunchText, "placeholders">): LaunchText {
  const placeholders = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  return { ...heading, text: `${text.replaceAll(PLACEHOLDER, "<$1>")}\n`, placeholders: [...placeholders], source };
}

/** A text as comment lines of a shell or of YAML: each line, whatever the text contains. */
export function comment(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => `# ${line}`)
    .join("\n");
}

/** A text as a YAML scalar: plain if it cannot be read as anything else, otherwise in double quotes, as in JSON. */
export function yamlScalar(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text);
  // YAML takes line breaks of Unicode as such, and no control characters.
  return isPlain
    ? text
    : JSON.stringify(text).replaceAll(
        /[\u007f-\u009f\u2028\u2029\ufeff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
}
