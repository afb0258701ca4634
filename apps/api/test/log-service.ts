import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { builtProgram } from "@gpu-offers/testkit/built-program";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { listening, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

/** Starts the service through a shell, with its standard output redirected; `flags` are for Node. */
export async function serveInto(redirection: string, flags = ""): Promise<Omit<Service, "databasePath">> {
  const command = `exec "${process.execPath}" ${flags} "${builtProgram("apps/api/dist/main.js")}" ${redirection}`;
  const settings = { PORT: "0", DATABASE_URL: databaseUrlOf(tempDatabase()), LOG_FORMAT: "json" };
  return listening(startCommand("/bin/sh", ["-c", command], settings));
}

const URL_LENGTH = 7_000;
const LONG_PATH = `/api/v1/offers?gpu=${"h".repeat(URL_LENGTH)}`;

/** Sends requests until the service has produced some megabytes of log lines, or counts dropped ones. */
export async function fillLog(service: { port: number }, megabytes: number): Promise<void> {
  for (let sent = 0; sent < megabytes * 2 ** 20; sent += 50 * URL_LENGTH) {
    await Promise.all(Array.from({ length: 50 }, () => fetchFrom(service, LONG_PATH)));
  }
}

export async function droppedLines(service: { port: number }): Promise<number> {
  const { text } = await fetchFrom(service, "/metrics");
  return Number(/^gpu_offers_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}
