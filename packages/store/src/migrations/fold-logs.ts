import { sql, type Kysely } from "kysely";

// Folds the log of prices and the log of offers into observations and their points: see 020-observations.ts.

interface Change {
  id: number;
  revision: number;
  at: string;
  offer_id: string;
  provider: string;
  gpu_slug: string;
  kind: string;
  after: string | null;
}

/** What a revision changed of a provider, or read of its prices: the one or the other may be missing. */
interface Reading extends Pick<Change, "revision" | "provider" | "at"> {
  commit_id: number | null;
}

interface Price {
  commit_id: number;
  gpu_slug: string;
  prices: string;
  regions: string;
}

interface Machine {
  slug: string;
  gpuCount: number;
  pricePerGpu: number;
  region: string;
}

interface Seller {
  n: number;
  p: Record<string, number[]>;
  r: string[];
  u?: 1;
}

interface Point {
  sellers: Record<string, Seller>;
  machines: Record<string, Record<string, number>>;
}

/** A provider as of its last reading. */
interface Provider {
  name: string;
  offers: Map<string, Machine>;
  /** Its last day, whose machines aren't written yet. */
  openDay?: string | undefined;
  /** The newest reading of each hour and day. */
  newest: Map<string, string>;
  sold: Set<string>;
}

/** Statements are prepared anew each time, and their memory is freed late: few large ones take less of it. */
const ROWS_A_BATCH = 300;
const CHANGES_A_PAGE = 2_000;
const POINTS_IN_MEMORY = 4_000;
const SAMPLE = "starter catalog";

const READINGS = sql`(
  select id as commit_id, revision, provider, dated_at as at from price_commit
  union all
  select null, revision, provider, min(at) from offer_change where not exists (
    select 1 from price_commit
    where price_commit.revision = offer_change.revision and price_commit.provider = offer_change.provider
  ) group by revision, provider
) as reading`;

/** Folds both logs. The sample that ships was not observed, so it leaves the log of offers. */
export async function foldLogs(database: Kysely<never>): Promise<void> {
  const samples = await removeSample(database);
  await sql`create index price_commit_revision on price_commit (revision, provider)`.execute(database);
  await sql`insert into observation (revision, provider, source, at, is_complete, knows_stock)
    select reading.revision, reading.provider, provider.source, reading.at, 1, 0
    from ${READINGS} left join provider on provider.name = reading.provider order by reading.revision`.execute(
    database,
  );
  await new LogFold(database).run();
  // What was written before any log, and is still listed.
  const { rows } = await sql<{ name: string; at: string | null }>`
    select name, coalesce(imported_at, (select at from offer_base_mark)) as at from provider
    where name not in (select provider from observation) and name in (select provider from offer)`.execute(database);
  for (const { name, at } of rows) {
    if (at !== null && !samples.has(name)) {
      await sql`insert into observation (revision, provider, at, is_complete, knows_stock) values (0, ${name}, ${at}, 1, 0)`.execute(
        database,
      );
    }
  }
}

/**
 * Makes the log of a provider whose first offers were the sample's begin with its first observation. Returns the providers
 * that were never observed.
 */
async function removeSample(database: Kysely<never>): Promise<ReadonlySet<string>> {
  const { rows: sample } = await sql<Change>`
    select * from offer_change where kind = 'added'
      and revision = (select min(revision) from catalog_revision where cause = ${SAMPLE})`.execute(database);
  const unobserved = new Set<string>();
  for (const [provider, added] of Map.groupBy(sample, (row) => row.provider)) {
    const sampled = added[0]?.revision ?? 0;
    await sql`delete from price_of_gpu where commit_id in
      (select id from price_commit where provider = ${provider} and revision = ${sampled})`.execute(database);
    await sql`delete from price_commit where provider = ${provider} and revision = ${sampled}`.execute(database);
    const { rows: later } = await sql<Change>`select * from offer_change where provider = ${provider} and revision = (
      select min(revision) from (
        select revision from offer_change where provider = ${provider} and revision > ${sampled}
        union select revision from price_commit where provider = ${provider} and revision > ${sampled}
      ) as observed)`.execute(database);
    const { rows: commits } = await sql<{ revision: number; at: string }>`
      select revision, committed_at as at from price_commit where provider = ${provider} order by id limit 1`.execute(
      database,
    );
    const first = later[0] ?? commits[0];
    if (first === undefined) {
      unobserved.add(provider);
    }
    for (const { id, offer_id: offer, after } of added) {
      const changes = later.filter((row) => row.offer_id === offer);
      const isKept = first !== undefined && changes.every(({ kind }) => kind !== "removed");
      for (const change of changes) {
        await sql`delete from offer_change where id = ${change.id}`.execute(database);
      }
      const fields = [after, ...changes.map((change) => change.after)].map(
        (text) => JSON.parse(text ?? "{}") as object,
      );
      await (
        isKept
          ? sql`update offer_change set revision = ${first.revision}, at = ${first.at},
            after = ${JSON.stringify(Object.assign({}, ...fields))} where id = ${id}`
          : sql`delete from offer_change where id = ${id}`
      ).execute(database);
    }
  }
  return unobserved;
}

const keyOf = ({ revision, provider }: Pick<Change, "revision" | "provider">): string => `${revision} ${provider}`;

/** Folds what the readings of each provider found into points, revision by revision. */
class LogFold {
  readonly #providers = new Map<string, Provider>();
  readonly #points = new Map<string, Point>();

  constructor(private readonly database: Kysely<never>) {}

  async run(): Promise<void> {
    const { rows: starts } = await sql<{ revision: number }>`select revision from price_log_start`.execute(
      this.database,
    );
    const { rows: base } = await sql<{ id: string; body: string }>`select id, body from offer_base`.execute(
      this.database,
    );
    for (const { id, body } of base) {
      const offer = JSON.parse(body) as Partial<Machine> & { provider: { name: string }; gpu: { slug: string } };
      this.#put(this.#providerOf(offer.provider.name), id, offer.gpu.slug, offer);
    }
    const { rows: readings } = await sql<Reading>`
      select commit_id, revision, provider, at from ${READINGS} order by revision, commit_id`.execute(this.database);
    const lastAt = new Map(readings.map((reading) => [keyOf(reading), reading.at]));
    const changes = this.#changes();
    let next = await changes.next();
    for (let from = 0; from < readings.length; from += ROWS_A_BATCH) {
      const some = readings.slice(from, from + ROWS_A_BATCH);
      const { rows: prices } = await sql<Price>`select commit_id, gpu_slug, prices, regions from price_of_gpu
        where commit_id in (${sql.join([0, ...some.flatMap((reading) => reading.commit_id ?? [])])})`.execute(
        this.database,
      );
      const pricesOf = Map.groupBy(prices, (row) => row.commit_id);
      for (const reading of some) {
        const { commit_id: commit, revision, at } = reading;
        for (; next.done !== true && next.value.revision <= revision; next = await changes.next()) {
          const change = next.value;
          this.#change(this.#providerOf(change.provider), lastAt.get(keyOf(change)) ?? change.at, change);
        }
        const provider = this.#providerOf(reading.provider);
        if (commit !== null) {
          await this.#addPoints(provider, at, sellersOf(provider, pricesOf.get(commit) ?? []));
        } else if (revision <= (starts[0]?.revision ?? 0)) {
          await this.#addPoints(provider, at, legacySellersOf(provider));
        }
      }
    }
    [...this.#providers.values()].forEach((provider) => this.#closeDay(provider));
    await this.#flush();
  }

  /** All changes by revision, read in pages: a revision may have as many as the catalog. */
  async *#changes(): AsyncGenerator<Change> {
    for (let last = { revision: 0, id: 0 }; ;) {
      const { rows } = await sql<Change>`
        select id, revision, at, offer_id, provider, gpu_slug, kind, after from offer_change
        where (revision, id) > (${last.revision}, ${last.id}) order by revision, id limit ${CHANGES_A_PAGE}`.execute(
        this.database,
      );
      yield* rows;
      last = rows.at(-1) ?? last;
      if (rows.length < CHANGES_A_PAGE) {
        return;
      }
    }
  }

  #providerOf(name: string): Provider {
    const provider = this.#providers.get(name) ?? {
      name,
      offers: new Map(),
      newest: new Map(),
      sold: new Set(),
    };
    this.#providers.set(name, provider);
    return provider;
  }

  #put({ offers }: Provider, id: string, slug: string, fields: Partial<Machine>): void {
    const { gpuCount = 0, pricePerGpu = 0, region = "" } = { ...offers.get(id), ...fields };
    offers.set(id, { slug, gpuCount, pricePerGpu, region });
  }

  #change(provider: Provider, at: string, { offer_id: id, gpu_slug: slug, kind, after }: Change): void {
    if (provider.openDay !== at.slice(0, 10)) {
      this.#closeDay(provider);
    }
    if (kind === "removed") {
      provider.offers.delete(id);
    } else if (kind !== "stock") {
      this.#put(provider, id, slug, JSON.parse(after ?? "{}") as Partial<Machine>);
    }
  }

  async #addPoints(provider: Provider, at: string, sellers: Map<string, Seller>): Promise<void> {
    for (const slug of provider.sold) {
      if (!sellers.has(slug)) {
        sellers.set(slug, { n: 0, p: {}, r: [] });
      }
    }
    provider.sold = new Set([...sellers].filter(([, { n }]) => n > 0).map(([slug]) => slug));
    const day = at.slice(0, 10);
    for (const period of [at.slice(0, 13), day]) {
      if ((provider.newest.get(period) ?? "") <= at) {
        provider.newest.set(period, at);
        sellers.forEach((seller, slug) => (this.#pointOf(slug, period).sellers[provider.name] = seller));
      }
    }
    provider.openDay = day;
    if (this.#points.size > POINTS_IN_MEMORY) {
      await this.#flush();
    }
  }

  #pointOf(slug: string, period: string): Point {
    const key = `${slug} ${period}`;
    const point = this.#points.get(key) ?? { sellers: {}, machines: {} };
    this.#points.set(key, point);
    return point;
  }

  /** Adds the machines to a provider's last day, before its offers become those of another one. */
  #closeDay(provider: Provider): void {
    const { name, openDay: day, offers } = provider;
    provider.openDay = undefined;
    for (const [id, { slug, pricePerGpu }] of day === undefined ? [] : offers) {
      const ofProvider = (this.#pointOf(slug, day ?? "").machines[name] ??= {});
      ofProvider[id.length === 36 ? id.slice(0, 8) : id] = pricePerGpu;
    }
  }

  async #flush(): Promise<void> {
    const points = [...this.#points].map(([key, { sellers, machines }]) => {
      const [slug = "", period = ""] = key.split(" ");
      return { slug, period, step: period.length === 10 ? "day" : "hour", sellers, machines };
    });
    this.#points.clear();
    for (let from = 0; from < points.length; from += ROWS_A_BATCH) {
      const some = points.slice(from, from + ROWS_A_BATCH);
      const keys = some.map(({ slug, step, period }) => sql`(${slug}, ${step}, ${period})`);
      const { rows } = await sql<{ gpu_slug: string; period: string; sellers: string; machines: string | null }>`
        select gpu_slug, period, sellers, machines from market_point
        where (gpu_slug, step, period) in (values ${sql.join(keys)})`.execute(this.database);
      const known = new Map(rows.map((row) => [`${row.gpu_slug} ${row.period}`, row]));
      const values = some.map(({ slug, step, period, sellers, machines }) => {
        const row = known.get(`${slug} ${period}`);
        const all = { ...(JSON.parse(row?.sellers ?? "{}") as object), ...sellers };
        const named = { ...(JSON.parse(row?.machines ?? "{}") as object), ...machines };
        return sql`(${slug}, ${step}, ${period}, ${JSON.stringify(all)}, ${step === "day" ? JSON.stringify(named) : null})`;
      });
      await sql`insert into market_point (gpu_slug, step, period, sellers, machines) values ${sql.join(values)}
        on conflict (gpu_slug, step, period) do update set sellers = excluded.sellers, machines = excluded.machines`.execute(
        this.database,
      );
    }
  }
}

function sellersOf({ offers }: Provider, prices: readonly Price[]): Map<string, Seller> {
  const listed = Map.groupBy(offers.values(), ({ slug }) => slug);
  const sellers = new Map<string, Seller>([...listed].map(([slug, { length: n }]) => [slug, { n, p: {}, r: [] }]));
  for (const { gpu_slug: slug, prices: text, regions } of prices) {
    const p = JSON.parse(text) as number[];
    const n = Math.max(p.length, listed.get(slug)?.length ?? 0);
    sellers.set(slug, { n, p: { 0: p }, r: JSON.parse(regions) as string[] });
  }
  return sellers;
}

/** All listed offers, because the log doesn't say what was available. */
function legacySellersOf({ offers }: Provider): Map<string, Seller> {
  const bySlug = Map.groupBy(offers.values(), ({ slug }) => slug);
  return new Map(
    [...bySlug].map(([slug, machines]) => {
      const p: Seller["p"] = {};
      for (const { gpuCount, pricePerGpu } of machines.toSorted((a, b) => a.pricePerGpu - b.pricePerGpu)) {
        (p[gpuCount] ??= []).push(pricePerGpu);
      }
      return [slug, { n: machines.length, p, r: [...new Set(machines.map(({ region }) => region))], u: 1 }];
    }),
  );
}
