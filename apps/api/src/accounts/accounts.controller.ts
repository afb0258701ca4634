import { Controller, Get, Header, Inject, Query, Req } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { accountSchema, balanceSchema, toBalance, type Account, type Balance } from "@gpu-offers/domain";
import type { FastifyRequest } from "fastify";
import { AccountAccess, accountIdOf } from "../http/access.guard.js";
import { noParametersSchema } from "../http/parameters.pipe.js";
import { ApiErrors, ApiFresh } from "../openapi/decorators.js";
import { exampleAccount, exampleBalance } from "../openapi/examples.js";
import { findAccount } from "../store/account.store.js";
import type { Database } from "../store/database.js";
import { getBalance } from "../store/ledger.store.js";

/** Injection token of the {@link Database}. */
export const DATABASE = Symbol("Database");

const KEY_NEEDED = [{ apiKey: [] }];

/** The caller's account and credit: interface.md 4.5 and 4.6. */
@ApiTags("Account")
@AccountAccess()
@Controller("api/v1/account")
export class AccountsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @Header("Cache-Control", "no-store")
  @ApiOperation({
    operationId: "getAccount",
    summary: "Get the account",
    description: "The account whose API key is sent.",
    security: KEY_NEEDED,
  })
  @ApiFresh(accountSchema, exampleAccount, "The account.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  async getAccount(
    @Query({ schema: noParametersSchema }) _query: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Account> {
    const account = await findAccount(this.database, accountIdOf(request));
    if (account === undefined) {
      throw new Error("An account with a valid key is gone, though none is ever removed.");
    }
    const { id, email, display_name, created_at } = account;
    return { id, email, display_name, created_at };
  }

  @Get("balance")
  @Header("Cache-Control", "no-store")
  @ApiOperation({
    operationId: "getBalance",
    summary: "Get the credit balance",
    description: "The prepaid credit of the account whose API key is sent. No operation adds credit.",
    security: KEY_NEEDED,
  })
  @ApiFresh(balanceSchema, exampleBalance, "The balance.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  async getBalance(
    @Query({ schema: noParametersSchema }) _query: unknown,
    @Req() request: FastifyRequest,
  ): Promise<Balance> {
    return toBalance(await getBalance(this.database, accountIdOf(request)));
  }
}
