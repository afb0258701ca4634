import { memoized } from "../memoized.js";
import { nearNames } from "../text/near-names.js";
import type { Named } from "./place-names.js";
import { providerKey } from "../provider/provider-key.js";

// Common names of providers. Offers contain the short names, which are known from the list of providers.

/** Words that companies add to their names. */
const suffixes = /(?:cloud|compute|computing|labs?|ai|io|com|gpu)$/;

/**
 * The known providers that match a common name: in any case, with or without spaces, by the company's name (`Amazon`), or
 * by the full name of a short one (`Lambda Labs`, `vast.ai`).
 */
export function providersCalled(name: string, known: Iterable<string>): Named<string> {
  const names = [...new Set(known)];
  const values = findProviders(name, names);
  return values.length > 0 ? { kind: "known", values } : { kind: "unknown", nearest: nearNames(name, names) };
}

/** The names of {@link providersCalled}; empty for an unknown name. */
export function findProviders(name: string, names: readonly string[]): string[] {
  // Searches look up each of their words.
  const known = memoized(spelledByNames, names, () => names.map(spell));
  const wanted = spell(name);
  for (const form of ["letters", "key", "short"] as const) {
    const values = form === "short" && wanted.letters === "" ? [] : known.filter((one) => one[form] === wanted[form]);
    if (values.length > 0) {
      return values.map((provider) => provider.name);
    }
  }
  return [];
}

interface SpelledName {
  name: string;
  letters: string;
  key: string;
  /** Letters without suffixes of companies. */
  short: string;
}

/** Memoized for the lifetime of a list, which must not change. */
const spelledByNames = new WeakMap<readonly string[], readonly SpelledName[]>();

function spell(name: string): SpelledName {
  const letters = lettersAndDigits(name);
  return { name, letters, key: providerKey(name), short: letters.replace(suffixes, "") || letters };
}

/** The Latin letters and digits of a name, in lower case. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
