import { nearNames } from "./near-names.js";
import type { Named } from "./place-names.js";
import { providerKey } from "./provider-key.js";

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
  const wanted = lettersAndDigits(name);
  const readings: ((provider: string) => boolean)[] = [
    (provider) => lettersAndDigits(provider) === wanted,
    (provider) => providerKey(provider) === providerKey(name),
    (provider) => wanted !== "" && withoutSuffix(lettersAndDigits(provider)) === withoutSuffix(wanted),
  ];
  for (const isMeant of readings) {
    const values = names.filter(isMeant);
    if (values.length > 0) {
      return values;
    }
  }
  return [];
}

/** The Latin letters and digits of a name, in lower case. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function withoutSuffix(letters: string): string {
  const short = letters.replace(suffixes, "");
  return short === "" ? letters : short;
}
