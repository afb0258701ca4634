import type { TestAccount } from "./accounts.ts";

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
