import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { FastifyRequest } from "fastify";
import { reasonOf } from "@gpu-offers/domain";
import { Foundation } from "../foundation.js";
import { KeyCache } from "../keys/key-cache.js";
import { ApiError, KEY_NEEDED } from "../wire/api-error.js";
import { exchangeOf } from "../wire/exchange.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The account that owns the request's key, set by {@link AccessGuard}. */
    accountId: string | undefined;
  }
}

/**
 * Marks the operations of a controller: `public` regardless of settings, `catalog` (see REQUIRE_API_KEY), or `account`, which
 * require a key and get the account's id by {@link AccountId}.
 */
export const Access = Reflector.createDecorator<"public" | "catalog" | "account">();

/** Handler parameter: the id of the account that owns the request's key. */
export const AccountId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { accountId } = context.switchToHttp().getRequest<FastifyRequest>();
  if (accountId === undefined) {
    throw new Error("The operation is not marked as account.");
  }
  return accountId;
});

/** A key could not be checked in the database, whatever the reason. */
export class KeyCheckError extends Error {
  override readonly name = "KeyCheckError";
}

/** The account of a request's valid key, if it has one. @throws KeyCheckError if the database cannot be queried. */
export async function findCaller({ raw, accountId }: FastifyRequest, keys: KeyCache): Promise<string | undefined> {
  try {
    return accountId ?? (await keys.findAccountId(exchangeOf(raw).keyHash));
  } catch (error) {
    throw new KeyCheckError(`cannot check an API key: ${reasonOf(error)}`, { cause: error });
  }
}

/** Checks access. It denies by default: an operation without a mark requires a key. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyCache,
    private readonly foundation: Foundation,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const access = this.reflector.getAllAndOverride(Access, [context.getHandler(), context.getClass()]);
    if (access === "public" || (access === "catalog" && !this.foundation.config.REQUIRE_API_KEY)) {
      return true;
    }
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const accountId = await findCaller(request, this.keys);
    if (accountId === undefined) {
      throw new ApiError("unauthorized", KEY_NEEDED, [], { "WWW-Authenticate": "Bearer" });
    }
    request.accountId = accountId;
    return true;
  }
}
