import { expect, test } from "vitest";
import { startServer } from "./http-server.ts";
import { pacedLoad } from "./paced-load.ts";

test("responses that are cut off are failures, and the load ends", async () => {
  const { url } = await startServer((response, _, number) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("half");
    setTimeout(() => (number === 1 ? response.destroy() : response.end("others")), 20);
  });
  expect(await pacedLoad(url, ["/"], 20, 0.2)).toMatchObject({ requests: 4, failures: 1 });
}, 5_000);
