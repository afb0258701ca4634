import { startProcess } from "@gpu-offers/testkit/running-process";
import type { Service } from "@gpu-offers/testkit/service";

/** The API key of a new account that has so much credit, USD. */
export async function keyWithCredit({ databasePath }: Service, amount: string): Promise<string> {
  const settings = { DATABASE_URL: `sqlite:${databasePath}` };
  const admin = (...args: string[]) => startProcess("admin/main.js", args, settings).ended;
  await admin("account", "create", "--email", "ada@example.com", "--name", "Ada");
  await admin("credit", "add", "--account", "ada@example.com", "--amount", amount, "--reference", "first");
  return (await admin("key", "create", "--account", "ada@example.com")).stdout.split("\n")[0] ?? "";
}
