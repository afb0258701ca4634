import { putOffers } from "./catalogs.ts";
import { SEED, syntheticOffers } from "@gpu-offers/testkit/synthetic";

// A process that imports a catalog with other prices into a database file, as an operator's command would.

const [databasePath = "", count = "0"] = process.argv.slice(2);
await putOffers(databasePath, syntheticOffers(Number(count), SEED + 1));
