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

interface Commit {
  id: number;
  revision: number;
  provider: string;
  dated_at: string;
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
  price: number;
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

interface OfferFields {
  gpuCount?: number;
  pricePerGpu?: number;
  region?: string;
}

const CHANGES_A_PAGE = 5_000;
const POINTS_IN_MEMORY = 4_000;
/** Statements are prepared anew each time, and their memory is freed late: few large ones take less of it. */
const ROWS_A_BATCH = 300;
const SAMPLE = "starter catalog";

/** Folds both logs. The sample that ships was not observed, so it leaves the log of offers. */
export async function foldLogs(database: Kysely<never>): Promise<void> {
  const samples = await removeSample(database);
  await sql`create index price_commit_revision on price_commit (revision, provider)`.execute(database);
  await sql`insert into observation (revision, provider, source, at, is_complete, knows_stock)
    select seen.revision, seen.provider, provider.source, seen.at, 1, 0 from (
      select revision, provider, dated_at as at from price_commit
      union all
      select revision, provider, min(at) from offer_change where not exists (
        select 1 from price_commit
        where price_commit.revision = offer_change.revision and price_commit.provider = offer_change.provider
      ) group by revision, provider
    ) as seen left join provider on provider.name = seen.provider order by seen.revision`.execute(database);
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

/** The offers of each provider, revision by revision. */
class LogFold {
  readonly #offers = new Map<string, Map<string, Machine>>();
  /** In order of revisions; those before `#next` are added. */
  #commits: readonly Commit[] = [];
  #next = 0;
  #prices: ReadonlyMap<number, Price[]> = new Map();
  /** The commits before this one have their prices in memory, if they aren't added yet. */
  #pricedUntil = 0;
  /** The last day of each provider, whose machines aren't written yet. */
  readonly #openDay = new Map<string, string>();
  /** The newest reading of each provider and day. */
  readonly #newest = new Map<string, string>();
  readonly #sold = new Map<string, Set<string>>();
  readonly #points = new Map<string, Point>();
  #legacyThrough = 0;

  constructor(private readonly database: Kysely<never>) {}

  async run(): Promise<void> {
    await this.#prepare();
    let changes: Change[] = [];
    for (let after = 0; ;) {
      const { rows } =
        await sql<Change>`select id, revision, at, offer_id, provider, gpu_slug, kind, after from offer_change
        where id > ${after} order by id limit ${CHANGES_A_PAGE}`.execute(this.database);
      for (const row of rows) {
        if (changes[0] !== undefined && changes[0].revision !== row.revision) {
          await this.#addRevision(changes);
          changes = [];
        }
        changes.push(row);
      }
      after = rows.at(-1)?.id ?? after;
      if (rows.length < CHANGES_A_PAGE) {
        break;
      }
    }
    if (changes.length > 0) {
      await this.#addRevision(changes);
    }
    await this.#addCommits(Number.POSITIVE_INFINITY);
    [...this.#openDay.keys()].forEach((provider) => this.#closeDay(provider));
    await this.#flush();
  }

  async #prepare(): Promise<void> {
    const { rows: starts } = await sql<{ revision: number }>`select revision from price_log_start`.execute(
      this.database,
    );
    this.#legacyThrough = starts[0]?.revision ?? 0;
    const { rows: commits } =
      await sql<Commit>`select id, revision, provider, dated_at from price_commit order by revision, id`.execute(
        this.database,
      );
    this.#commits = commits;
    const { rows: base } = await sql<{ id: string; body: string }>`select id, body from offer_base`.execute(
      this.database,
    );
    for (const { id, body } of base) {
      const offer = JSON.parse(body) as OfferFields & { provider: { name: string }; gpu: { slug: string } };
      this.#put(offer.provider.name, id, offer.gpu.slug, offer);
    }
  }

  #put(provider: string, id: string, slug: string, { gpuCount, pricePerGpu, region }: OfferFields): void {
    const offers = this.#offers.get(provider) ?? new Map<string, Machine>();
    this.#offers.set(provider, offers);
    const known = offers.get(id);
    offers.set(id, {
      slug,
      gpuCount: gpuCount ?? known?.gpuCount ?? 0,
      price: pricePerGpu ?? known?.price ?? 0,
      region: region ?? known?.region ?? "",
    });
  }

  async #addRevision(changes: readonly Change[]): Promise<void> {
    const revision = changes[0]?.revision ?? 0;
    await this.#addCommits(revision - 1);
    const commits = new Map<string, Commit>();
    for (let at = this.#next; this.#commits[at]?.revision === revision; at++) {
      const commit = this.#commits[at] as Commit;
      commits.set(commit.provider, commit);
    }
    for (const [provider, own] of Map.groupBy(changes, (change) => change.provider)) {
      const commit = commits.get(provider);
      const at = commit?.dated_at ?? own[0]?.at ?? "";
      if (this.#openDay.get(provider) !== at.slice(0, 10)) {
        this.#closeDay(provider);
      }
      for (const { offer_id: id, gpu_slug: slug, kind, after } of own) {
        if (kind === "removed") {
          this.#offers.get(provider)?.delete(id);
        } else if (kind !== "stock") {
          this.#put(provider, id, slug, JSON.parse(after ?? "{}") as OfferFields);
        }
      }
      if (commit === undefined && revision <= this.#legacyThrough) {
        await this.#addPoints(provider, at, this.#legacySellers(provider));
      }
    }
    await this.#addCommits(revision);
  }

  /** Adds the prices of revisions until one. */
  async #addCommits(until: number): Promise<void> {
    for (; (this.#commits[this.#next]?.revision ?? Number.NaN) <= until; this.#next++) {
      const { id, provider, dated_at: at } = this.#commits[this.#next] as Commit;
      const rows = (await this.#pricesFrom(this.#next)).get(id) ?? [];
      const listed = Map.groupBy(this.#offers.get(provider)?.values() ?? [], ({ slug }) => slug);
      const sellers = new Map<string, Seller>([...listed].map(([slug, { length: n }]) => [slug, { n, p: {}, r: [] }]));
      for (const { gpu_slug: slug, prices, regions } of rows) {
        const p = JSON.parse(prices) as number[];
        const n = Math.max(p.length, listed.get(slug)?.length ?? 0);
        sellers.set(slug, { n, p: { 0: p }, r: JSON.parse(regions) as string[] });
      }
      await this.#addPoints(provider, at, sellers);
    }
  }

  /** All listed offers, because the log doesn't say what was available. */
  #legacySellers(provider: string): Map<string, Seller> {
    const sellers = new Map<string, Seller>();
    for (const { slug, gpuCount, price, region } of this.#offers.get(provider)?.values() ?? []) {
      const seller = sellers.get(slug) ?? { n: 0, p: {}, r: [], u: 1 as const };
      sellers.set(slug, seller);
      seller.n += 1;
      (seller.p[gpuCount] ??= []).push(price);
      if (!seller.r.includes(region)) {
        seller.r.push(region);
      }
    }
    [...sellers.values()].flatMap(({ p }) => Object.values(p)).forEach((prices) => prices.sort((a, b) => a - b));
    return sellers;
  }

  /** The prices of a commit and of some after it. */
  async #pricesFrom(next: number): Promise<ReadonlyMap<number, Price[]>> {
    if (next >= this.#pricedUntil) {
      const ids = this.#commits.slice(next, next + ROWS_A_BATCH).map(({ id }) => id);
      const { rows } = await sql<Price>`select commit_id, gpu_slug, prices, regions from price_of_gpu
        where commit_id in (${sql.join(ids)})`.execute(this.database);
      this.#prices = Map.groupBy(rows, (row) => row.commit_id);
      this.#pricedUntil = next + ROWS_A_BATCH;
    }
    return this.#prices;
  }

  async #addPoints(provider: string, at: string, sellers: Map<string, Seller>): Promise<void> {
    for (const slug of this.#sold.get(provider) ?? []) {
      if (!sellers.has(slug)) {
        sellers.set(slug, { n: 0, p: {}, r: [] });
      }
    }
    this.#sold.set(provider, new Set([...sellers].filter(([, { n }]) => n > 0).map(([slug]) => slug)));
    const day = at.slice(0, 10);
    for (const period of [at.slice(0, 13), day]) {
      const key = `${provider} ${period}`;
      if ((this.#newest.get(key) ?? "") <= at) {
        this.#newest.set(key, at);
        sellers.forEach((seller, slug) => (this.#pointOf(slug, period).sellers[provider] = seller));
      }
    }
    this.#openDay.set(provider, day);
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
  #closeDay(provider: string): void {
    const day = this.#openDay.get(provider);
    this.#openDay.delete(provider);
    for (const [id, { slug, price }] of day === undefined ? [] : (this.#offers.get(provider) ?? [])) {
      const ofProvider = (this.#pointOf(slug, day ?? "").machines[provider] ??= {});
      ofProvider[id.length === 36 ? id.slice(0, 8) : id] = price;
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
