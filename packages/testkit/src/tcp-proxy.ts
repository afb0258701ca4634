import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./free-port.ts";

/** A relay to a loopback port, which can be set to drop everything. */
export interface TcpProxy {
  port: number;
  /** From now on drops all data and closes no connection, like a broken network. */
  swallow: () => void;
  /** Relays new connections again; old ones stay dead. */
  restore: () => void;
  close: () => Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const relayed = new Set<Socket>();
  let isSwallowing = false;
  const server = createServer((near) => {
    open.add(near);
    near.on("error", () => {});
    if (isSwallowing) {
      return;
    }
    const far = connect(targetPort, "127.0.0.1");
    far.on("error", () => near.destroy());
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      relayed.add(from);
      from.on("data", (chunk) => {
        if (relayed.has(from)) {
          to.write(chunk);
        }
      });
      from.once("close", () => relayed.has(from) && to.destroy());
    }
  });
  const port = await listen(server);
  return {
    port,
    swallow: () => {
      isSwallowing = true;
      relayed.clear();
    },
    restore: () => {
      isSwallowing = false;
    },
    close: async () => {
      for (const socket of open) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
