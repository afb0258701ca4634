/** Version of the program, set by the build. */
export const VERSION = process.env["GPU_OFFERS_VERSION"] ?? "unbuilt";
