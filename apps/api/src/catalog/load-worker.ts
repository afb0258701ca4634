import { once } from "node:events";
import { parentPort, type MessagePort } from "node:worker_threads";
import { openDatabase } from "@gpu-offers/store/database";
import type { Loaded, LoadTask } from "./load-thread.js";
import { loadSnapshotParts } from "./load-snapshot.js";
import { packColumns } from "./pack-columns.js";
import type { prepareListings } from "./snapshot.js";

// Loads the catalog in its own thread, because reading and sorting would block the thread that serves requests.
// Each load has its own worker, which exits once the parts are transferred.

/** A load that waits forever for a dead connection would block all later ones. */
const SILENCE_MS = 15_000;

const leavePreparing: typeof prepareListings = (listings) => {
  const { packed, buffer } = packColumns(listings);
  port.postMessage({ columns: packed } satisfies Loaded, [buffer]);
  return { groups: new Map(), orders: new Map() };
};

// Posted by the loader.
const port = parentPort as MessagePort;
const [{ databaseUrl, stale, isPreparedBeside }] = (await once(port, "message")) as [LoadTask];
const database = await openDatabase(databaseUrl, { isReader: true, silenceMs: SILENCE_MS });
try {
  const parts = await loadSnapshotParts(database, stale, isPreparedBeside ? leavePreparing : undefined);
  if (parts === undefined) {
    port.postMessage({ parts } satisfies Loaded, []);
  } else {
    const { bytes, ...others } = parts;
    const { packed, buffer } = packColumns(others);
    port.postMessage({ parts: { ...packed, bytes } } satisfies Loaded, [bytes.buffer, buffer]);
  }
} finally {
  await database.destroy();
}
