import { randomNumbers } from "@gpu-offers/testkit/synthetic";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { exchange, firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { malformedRequests } from "@gpu-offers/testkit/malformed-requests";
import { errorProblem } from "./error-body.ts";
import { stressTest } from "./stress-test.ts";

// Requests that two programs could parse differently. Each must be rejected, and what follows it on the connection must
// not be parsed as another request.

const AT_ONCE = 16;
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Request-Id: smuggled\r\n\r\n";

const TUNNEL = "CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n";
/** More requests than may be pipelined on one connection. */
const SENT_AHEAD = "GET /api/v1/account HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500);

/** Header lines that make any request invalid, in any position. */
const UNSOUND_LINES = [
  "Content-Length: 3\r\nContent-Length: 4\r\n",
  "Content-Length: 3\r\ncontent-length: 3\r\n",
  "Content-Length: 0, 0\r\n",
  "Content-Length: 0x3\r\n",
  "Content-Length: +3\r\n",
  "Content-Length:\r\n",
  "Content-Length: 3 3\r\n",
  "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
  "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
  "Transfer-Encoding: chunked, identity\r\n",
  "Transfer-Encoding: identity\r\n",
  "Transfer-Encoding: xchunked\r\n",
  "Transfer-Encoding: \u000bchunked\r\n",
  "Transfer-Encoding : chunked\r\n",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
  "Host: y\r\n",
  "HOST: x\r\n",
  "Host : x\r\n",
  " folded\r\n",
  "\tfolded\r\n",
  "X-A : b\r\n",
  "X A: b\r\n",
  "X-A: a\0b\r\n",
  "X-A: a\u0001b\r\n",
  "X-A: b\n",
  "X-A: a\rb\r\n",
  "X-A\r\n",
  ": b\r\n",
  "X\0A: b\r\n",
  "X(A): b\r\n",
];
const SOUND_LINES = ["Host: x\r\n", "Accept: */*\r\n", "X-B: c\r\n", "Connection: keep-alive\r\n", "User-Agent: u\r\n"];
const PATHS = ["/health/live", "/api/v1/offers?size=1", "/api/v1/account", "/openapi.json", "/nothing"];
const METHODS = ["GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE"];

/** A request that is valid except for one of the lines above. */
function malformedRequest(random: () => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const lines = SOUND_LINES.filter((line) => line.startsWith("Host") || random() < 0.5).sort(() => random() - 0.5);
  lines.splice(Math.floor(random() * (lines.length + 1)), 0, pick(UNSOUND_LINES));
  return `${pick(METHODS)} ${pick(PATHS)} HTTP/1.1\r\n${lines.join("")}\r\n${pick(["", "abc", "0\r\n\r\n"])}${SMUGGLED}`;
}

async function problemOf(service: Service, bytes: string): Promise<string | undefined> {
  const text = await exchange(service, bytes);
  const response = firstResponse(text);
  if (response === undefined) {
    return "no response";
  }
  if (response.status < 400 || response.status > 499) {
    return `status ${response.status}`;
  }
  if (text.includes("smuggled")) {
    return "what follows was read as a request";
  }
  // A response to HEAD has no body; what follows it belongs to the raw bytes.
  const { status, headers, body } = response;
  return bytes.startsWith("HEAD ")
    ? undefined
    : errorProblem({ status, headers: Object.fromEntries(headers), text: body });
}

/** Requests a tunnel, and resets the connection before the response. */
async function resetTunnel(service: Service): Promise<void> {
  const socket = await openSocket(service);
  await new Promise((resolve) => {
    socket.on("error", () => {}).once("close", resolve);
    socket.write(TUNNEL, () => socket.resetAndDestroy());
  });
}

stressTest(
  "ambiguous framing, requests behind it",
  { bar: "all rejected", unit: "requests", n: 100_000, shortN: 500 },
  async ({ n, seed, report }) => {
    const service = await startService({ settings: { LOG_LEVEL: "silent" } });
    for (const [what, bytes] of malformedRequests) {
      const problem = await problemOf(service, bytes);
      report(problem && `${what}: ${problem}`);
    }
    const connect = await exchange(service, TUNNEL);
    if (!connect.startsWith("HTTP/1.1 405 ")) {
      report(`CONNECT: ${connect.slice(0, 80)}`);
    }
    const random = randomNumbers(seed);
    let left = n;
    const run = async (): Promise<void> => {
      while (left-- > 0) {
        const bytes = malformedRequest(random);
        const problem = await problemOf(service, bytes);
        report(problem && `${JSON.stringify(bytes)}: ${problem}`);
        if (left % 100 === 0) {
          await resetTunnel(service);
          if ((await exchange(service, SENT_AHEAD)) !== "") {
            report("500 requests sent ahead were served");
          }
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    if ((await fetchFrom(service, "/health/live")).status !== 200) {
      report("the service does not respond afterwards");
    }
    await service.stop();
    return `and ${malformedRequests.length + 1} known attacks`;
  },
);
