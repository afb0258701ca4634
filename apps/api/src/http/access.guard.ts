import { SetMetadata, type CanActivate, type CustomDecorator, type ExecutionContext } from "@nestjs/common";
import type { Reflector } from "@nestjs/core";
import type { FastifyRequest } from "fastify";
import type { KeyRing } from "../accounts/key-ring.js";
import { ApiError, KEY_NEEDED } from "./api-error.js";
import { bearerOf } from "./rate-limit.js";

/** Who may call an operation: everybody, callers of the catalog (see REQUIRE_API_KEY), or an account. */
type Access = "public" | "catalog" | "account";

const ACCESS = "gpu-offers:access";

/** Marks the operations of a controller as open to everybody, whatever the settings. */
export const PublicAccess = (): CustomDecorator => SetMetadata(ACCESS, "public" satisfies Access);

/** Marks the operations of a controller as the catalog: open unless REQUIRE_API_KEY is set. */
export const CatalogAccess = (): CustomDecorator => SetMetadata(ACCESS, "catalog" satisfies Access);

/** Marks the operations of a controller as an account's own: they need its key, and see `accountIdOf`. */
export const AccountAccess = (): CustomDecorator => SetMetadata(ACCESS, "account" satisfies Access);

const accountIds = new WeakMap<FastifyRequest, string>();

/** The account whose key came with a request that {@link AccessGuard} let through because of it. */
export function accountIdOf(request: FastifyRequest): string {
  const accountId = accountIds.get(request);
  if (accountId === undefined) {
    throw new Error("The operation is not marked with AccountAccess.");
  }
  return accountId;
}

/** Decides who may call. It denies by default: an operation without a mark needs a key. */
export class AccessGuard implements CanActivate {
  readonly #accessOf = new Map<object, Access | undefined>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyRing,
    private readonly requireApiKey: boolean,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.#findAccess(context);
    if (access === "public" || (access === "catalog" && !this.requireApiKey)) {
      return true;
    }
    return this.#authenticate(context.switchToHttp().getRequest<FastifyRequest>());
  }

  async #authenticate(request: FastifyRequest): Promise<true> {
    const key = bearerOf(request);
    const accountId = key === undefined ? undefined : await this.keys.findAccountId(key);
    if (accountId === undefined) {
      throw new ApiError("unauthorized", KEY_NEEDED, [], {
        "WWW-Authenticate": "Bearer",
      });
    }
    accountIds.set(request, accountId);
    return true;
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
