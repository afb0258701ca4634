import { Controller, Get } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import { accountSchema, balanceSchema, toBalance, type Account, type Balance } from "@gpu-offers/domain";
import { Access, AccountId } from "../http/access.guard.js";
import { ApiFresh } from "../openapi/decorators.js";
import { exampleAccount, exampleBalance } from "../openapi/examples.js";
import { AccountStore } from "@gpu-offers/store/account.store";
import { CreditStore } from "@gpu-offers/store/credit.store";

const KEY_REQUIRED = [{ apiKey: [] }];

@ApiTags("Account")
@Access("account")
@Controller({ path: "account", version: "1" })
export class AccountsController {
  constructor(
    private readonly accounts: AccountStore,
    private readonly ledger: CreditStore,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Get your account",
    description: "Returns the account that owns the API key.",
    security: KEY_REQUIRED,
  })
  @ApiFresh(accountSchema, exampleAccount, "The account.", "unauthorized", "rate_limited")
  async getAccount(@AccountId() accountId: string): Promise<Account> {
    const account = await this.accounts.find(accountId);
    if (account === undefined) {
      throw new Error("An account with a valid key is gone, though none is ever removed.");
    }
    const { id, email, display_name, created_at } = account;
    return { id, email, display_name, created_at };
  }

  @Get("balance")
  @ApiOperation({
    summary: "Get your credit balance",
    description: "Returns the prepaid credit of the account that owns the API key. No API operation adds credit.",
    security: KEY_REQUIRED,
  })
  @ApiFresh(balanceSchema, exampleBalance, "The balance.", "unauthorized", "rate_limited")
  async getBalance(@AccountId() accountId: string): Promise<Balance> {
    return toBalance(await this.ledger.getBalance(accountId));
  }
}
