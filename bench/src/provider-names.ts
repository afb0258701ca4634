import { PROVIDERS } from "./provider-responses.ts";

/** The failing source; each of its regions fails in a different way. */
export const FAILING = "azure";

/** Ten live sources. */
export const NAMES: readonly string[] = [...Object.keys(PROVIDERS), FAILING];
