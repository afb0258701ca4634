import SqliteDatabase from "better-sqlite3";
import pg from "pg";
import { makeAccount, makeKey, type TestAccount } from "./accounts.ts";
import { adminDone, databaseUrlOf } from "./admin.ts";
import { tempDatabase } from "./temp-folder.ts";

type Key = Pick<TestAccount, "keyId" | "key">;

/** Keys that must be rejected. */
export interface InvalidKeys {
  revoked: Key;
  expired: Key;
  /** Valid in another database. */
  unknown: Key;
  /** Of a disabled account. */
  disabled: Key;
}

/** Creates keys that must be rejected, through the command line. */
export async function makeInvalidKeys(database: string, { id }: TestAccount): Promise<InvalidKeys> {
  const revoked = await makeKey(database, id);
  await adminDone(database, "key", "revoke", revoked.keyId);
  const expired = await makeKey(database, id);
  await expire(database, expired.keyId);
  const leaver = await makeAccount(database);
  await adminDone(database, "account", "disable", leaver.id);
  return { revoked, expired, unknown: await makeAccount(tempDatabase()), disabled: leaver };
}

/** Named headers that must be rejected. */
export function badCredentials(
  { id, key, email }: TestAccount,
  { revoked, expired, unknown, disabled }: InvalidKeys,
): [name: string, headers: Record<string, string>][] {
  const authorizations: [string, string][] = [
    ["empty", ""],
    ["the scheme alone", "Bearer"],
    ["no space", `Bearer${key}`],
    ["no scheme", key],
    ["another scheme", `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`],
    ["a token", `Token ${key}`],
    ["two schemes", `Bearer Bearer ${key}`],
    ["two keys", `Bearer ${key} ${key}`],
    ["two keys with a comma", `Bearer ${key},${key}`],
    ["quoted", `Bearer "${key}"`],
    ["a tab", `Bearer\t${key}`],
    ["unknown", `Bearer ${unknown.key}`],
    ["with an invalid checksum", `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`],
    ["too short", `Bearer ${key.slice(0, -1)}`],
    ["too long", `Bearer ${key}0`],
    ["in lower case", `Bearer ${key.toLowerCase()}`],
    ["without its prefix", `Bearer ${key.slice(4)}`],
    ["with another prefix", `Bearer gpx_${key.slice(4)}`],
    ["revoked", `Bearer ${revoked.key}`],
    ["expired", `Bearer ${expired.key}`],
    ["of a disabled account", `Bearer ${disabled.key}`],
    ["the id of a key", `Bearer ${revoked.keyId}`],
    ["the id of an account", `Bearer ${id}`],
    ["a star", "Bearer *"],
    ["SQL", "Bearer '/**/or/**/1=1--"],
    ["a property of objects", "Bearer __proto__"],
    ["very long", `Bearer gpo_${"A".repeat(7_000)}`],
    ["not ASCII", `Bearer ${key.slice(0, -1)}\u00e9`],
  ];
  return [
    ["none", {}],
    ...authorizations.map(([name, authorization]): [string, Record<string, string>] => [name, { authorization }]),
    ["in another header", { "x-api-key": key }],
    ["in a cookie", { cookie: `authorization=Bearer ${key}` }],
    ["for a proxy", { "proxy-authorization": `Bearer ${key}` }],
  ];
}

/** Sets a key's expiry to the past, which the command line does not allow. */
async function expire(database: string, keyId: string): Promise<void> {
  const past = new Date(Date.now() - 1).toISOString();
  const url = databaseUrlOf(database);
  if (url.startsWith("sqlite:")) {
    const sqlite = new SqliteDatabase(url.slice("sqlite:".length));
    sqlite.prepare("update api_key set expires_at = ? where id = ?").run(past, keyId);
    sqlite.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query("update api_key set expires_at = $1 where id = $2", [past, keyId]);
  await client.end();
}
