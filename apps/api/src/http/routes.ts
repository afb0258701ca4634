import type { FastifyInstance } from "fastify";

/** Which paths exist, whatever the method: what tells a 405 from a 404, and what OPTIONS answers. */
export class Routes {
  readonly #patterns = new Map<string, { segments: string[]; methods: Set<string> }>();

  /** Learns every route that is registered from now on. */
  watch(server: FastifyInstance): void {
    server.addHook("onRoute", (route) => {
      const known = this.#patterns.get(route.url) ?? { segments: route.url.split("/"), methods: new Set(["OPTIONS"]) };
      for (const method of [route.method].flat()) {
        known.methods.add(method);
      }
      this.#patterns.set(route.url, known);
    });
  }

  /** The value of the Allow header for a path (without its query); undefined when nothing lies there. */
  allow(path: string): string | undefined {
    const segments = path.split("/");
    for (const pattern of this.#patterns.values()) {
      if (matches(pattern.segments, segments)) {
        return [...pattern.methods].sort().join(", ");
      }
    }
    return undefined;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
  );
}
