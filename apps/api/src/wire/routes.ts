import type { FastifyInstance } from "fastify";

/** A path of the service, for all methods. */
export interface Route {
  /** Its pattern, such as `/api/v1/offers/:id`. */
  pattern: string;
  methods: ReadonlySet<string>;
  /** Value of its Allow header. */
  allow: string;
}

/** The paths that exist: they decide between 404 and 405, the response to OPTIONS, and the route in log, metrics and traces. */
export class Routes {
  readonly #fixed = new Map<string, Route>();
  readonly #withParameters = new Map<string, { segments: string[]; route: Route }>();

  /** Adds every route that is registered with Fastify from now on. */
  watch(server: FastifyInstance): void {
    server.addHook("onRoute", (added) => {
      const pattern = added.url;
      const known = this.#fixed.get(pattern) ?? this.#withParameters.get(pattern)?.route;
      const methods = new Set([...(known?.methods ?? ["OPTIONS"]), ...[added.method].flat()]);
      const route = { pattern, methods, allow: [...methods].sort().join(", ") };
      if (pattern.includes(":")) {
        this.#withParameters.set(pattern, { segments: pattern.split("/"), route });
      } else {
        this.#fixed.set(pattern, route);
      }
    });
  }

  /** The route of a path (without its query); undefined if there is none. Paths are matched literally. */
  find(path: string): Route | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) {
      return fixed;
    }
    const segments = path.split("/");
    for (const { segments: pattern, route } of this.#withParameters.values()) {
      if (matches(pattern, segments)) {
        return route;
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
