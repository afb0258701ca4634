import { fileURLToPath } from "node:url";

/** A folder for what tests keep from one run to the next. */
export const CACHE_FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/gpu-offers", import.meta.url));
