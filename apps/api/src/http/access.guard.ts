import { SetMetadata, type CanActivate, type CustomDecorator, type ExecutionContext } from "@nestjs/common";
import type { Reflector } from "@nestjs/core";
import { ApiError } from "./api-error.js";

/** Who may call an operation: everybody, or callers of the catalog (see REQUIRE_API_KEY). */
type Access = "public" | "catalog";

const ACCESS = "gpu-offers:access";

/** Marks the operations of a controller as open to everybody, whatever the settings. */
export const PublicAccess = (): CustomDecorator => SetMetadata(ACCESS, "public" satisfies Access);

/** Marks the operations of a controller as the catalog: open unless REQUIRE_API_KEY is set. */
export const CatalogAccess = (): CustomDecorator => SetMetadata(ACCESS, "catalog" satisfies Access);

/** Decides who may call. It denies by default: an operation without a mark needs a key. */
export class AccessGuard implements CanActivate {
  readonly #accessOf = new Map<object, Access | undefined>();

  constructor(
    private readonly reflector: Reflector,
    private readonly requireApiKey: boolean,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.#findAccess(context);
    if (access === "public" || (access === "catalog" && !this.requireApiKey)) {
      return true;
    }
    throw new ApiError("unauthorized", "A valid API key is needed: send Authorization: Bearer <key>.", [], {
      "WWW-Authenticate": "Bearer",
    });
  }

  /** The mark of an operation, read once for each. */
  #findAccess(context: ExecutionContext): Access | undefined {
    const handler = context.getHandler();
    if (!this.#accessOf.has(handler)) {
      this.#accessOf.set(handler, this.reflector.getAllAndOverride<Access>(ACCESS, [handler, context.getClass()]));
    }
    return this.#accessOf.get(handler);
  }
}
