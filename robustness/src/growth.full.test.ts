import type { Offer } from "@gpu-offers/domain";
import { openDatabase } from "@gpu-offers/store/database";
import { measureGrowth } from "@gpu-offers/store/test/growth";
import { addSources, liveRunOf } from "@gpu-offers/store/test/live-runs";
import { removeExpired } from "@gpu-offers/sync/remove-expired";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { shown } from "@gpu-offers/testkit/table-row";
import { onBothDatabases } from "./both-databases.ts";
import { isFull, stressTest } from "./stress-test.ts";

// How a database grows in which one offer in twenty changes each hour: of these, half in price, three in ten in stock, and
// the others leave their provider's list and return five hours later.

const HOUR_MS = 3_600_000;
const MAX_MB_A_DAY = 20;
const AWAY_HOURS = 5;

/** Days until a day is removed for each that comes: the points of hours are kept for two, and their space is used again. */
const SETTLED_DAYS = 2;

/** The offers of a provider in an hour. */
function offersAt(offers: readonly Offer[], hour: number): Offer[] {
  return offers.flatMap((offer, index) => {
    const kind = (index * 7) % 10;
    // An offer changes every twentieth hour, each at its own.
    const hours = hour + ((Math.floor(index / 10) * 3) % 20);
    const [changes, since] = [Math.floor(hours / 20), hours % 20];
    if (kind >= 8 && changes > 0 && since < AWAY_HOURS) {
      return [];
    }
    const isAvailable = kind < 5 || kind >= 8 ? offer.isAvailable : changes % 2 === 0;
    const cents = kind < 5 ? changes % 7 : 0;
    const priceHourly = Math.round(offer.priceHourly * 100 + cents * offer.gpuCount) / 100;
    return [{ ...offer, isAvailable, priceHourly, pricePerGpu: priceHourly / offer.gpuCount }];
  });
}

const bar = `<= ${MAX_MB_A_DAY} MB a day`;
stressTest("a day of changes", { bar, unit: "days", n: 4, shortN: 3 }, async ({ n, report }) => {
  const [providers, size] = isFull ? [25, 2_000] : [1, 300];
  const names = Array.from({ length: providers }, (_, number) => `cloud-${number}`);
  const all = [...syntheticOffers(providers * size)];
  const offersOf = new Map(
    names.map((name, number) => [
      name,
      all
        .slice(number * size, (number + 1) * size)
        .map((offer) => Object.assign(offer, { provider: { name, slug: name }, region: `${name}-${offer.region}` })),
    ]),
  );
  return onBothDatabases(async ({ url, kind }) => {
    const database = await openDatabase(url);
    await addSources(database, Object.fromEntries(names.map((name) => [name, "list"])), HOUR_MS);
    const startMs = Date.now() - n * 24 * HOUR_MS;
    const days: Awaited<ReturnType<typeof measureGrowth>>[] = [];
    for (let hour = 0; hour <= n * 24; hour++) {
      const nowMs = startMs + hour * HOUR_MS;
      for (const [name, offers] of offersOf) {
        await liveRunOf(database, name, offersAt(offers, hour), new Date(nowMs).toISOString());
      }
      await removeExpired(database, { nowMs, historyDays: 400 });
      if (hour % 24 === 0) {
        days.push(await measureGrowth(database));
      }
    }
    await database.destroy();
    const [first, last] = [days[SETTLED_DAYS], days.at(-1)];
    const mbADay = ((last?.bytes ?? 0) - (first?.bytes ?? 0)) / 1e6 / (n - SETTLED_DAYS);
    // So few offers as in a short run hide in what GPUs have anyway.
    report(mbADay > MAX_MB_A_DAY && isFull ? `${kind} grows by ${mbADay.toFixed(1)} MB a day` : undefined);
    report((last?.gone ?? 0) > 0 ? undefined : `nothing is gone in ${kind}`);
    return `${mbADay.toFixed(1)} MB a day of ${((last?.bytes ?? 0) / 1e6).toFixed(0)} MB, in which ${shown(last?.gone ?? 0)} offers that are gone have ${((last?.goneBytes ?? 0) / 1e6).toFixed(1)} MB`;
  });
});
