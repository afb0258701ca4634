import { PROVIDERS } from "./provider-responses.ts";

/** The source that fails, in another way at each of its regions. */
export const FAILING = "azure";

/** Ten live sources. */
export const NAMES: readonly string[] = [...Object.keys(PROVIDERS), FAILING];
