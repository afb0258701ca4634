import type { Database } from "./database.js";

/** The hours in which providers were observed, in milliseconds since 1970, between two times in ISO 8601 UTC. */
export async function listObservedHours(
  database: Database,
  providers: readonly string[],
  { since, until }: { since: string; until: string },
): Promise<Map<string, number[]>> {
  const rows = await database
    .selectFrom("observation")
    .where("provider", "in", ["", ...providers])
    .where("at", ">=", since)
    .where("at", "<=", until)
    .select((select) => ["provider", select.fn<string>("substr", ["at", select.lit(1), select.lit(13)]).as("hour")])
    .distinct()
    .orderBy("hour")
    .execute();
  const hours = Map.groupBy(rows, (row) => row.provider);
  return new Map([...hours].map(([name, own]) => [name, own.map(({ hour }) => Date.parse(`${hour}:00:00Z`))]));
}
