import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { builtProgram, startCommand, startProcess } from "@gpu-offers/testkit/running-process";
import { listening, logLines, starterDatabase, startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

/** Starts a service that is expected to exit by itself. */
const failedStart = (settings: Record<string, string>, cwd = tempFolder()) =>
  startProcess("main.js", [], { PORT: "0", ...settings }, { cwd }).ended;

const levelsOf = (stdout: string) => [...new Set(logLines(stdout).map(({ level }) => String(level)))].sort();

/** Its settings are empty, which counts as unset. */
let service: Service;
beforeAll(async () => {
  service = await startService({
    settings: { HOST: "", LOG_LEVEL: "", LOG_FORMAT: "", CORS_ORIGINS: "", REQUIRE_API_KEY: "" },
  });
});

const SEE = "gpu-offers-server: Run with --help to see all settings.";
const DATABASE_RULE = "must be sqlite:<path of the file> or postgres://<user>:<password>@<host>:<port>/<database>";

test.for([["main.js"], ["admin/main.js"]])("%s reports an old version of Node in one line", async ([program]) => {
  const old = join(tempFolder(), "old.cjs");
  writeFileSync(
    old,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.11.0" } });`,
  );
  const ended = await startProcess(program as string, ["--help"], { NODE_OPTIONS: `--require ${old}` }).ended;
  expect(ended).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "gpu-offers: this is Node 22.11.0; Node 22.12 or newer is required. npx -y pnpm@12 start brings its own.\n",
  });
});

describe.concurrent("wrong settings", () => {
  // The rules of each setting are tested with readConfig.
  test("is reported in one line, with exit code 2", async () => {
    expect(await failedStart({ DATABASE_URL: "data.sqlite" })).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `gpu-offers-server: DATABASE_URL ${DATABASE_RULE}, not "data.sqlite".\n${SEE}\n`,
    });
  });

  test("are all reported together, before anything is opened", async () => {
    const folder = tempFolder();
    const ended = await failedStart(
      { PORT: "x", LOG_LEVEL: "x", LOG_FORMAT: "x", REQUIRE_API_KEY: "x", CORS_ORIGINS: "x,https://a.example,y" },
      folder,
    );
    expect(ended.code).toBe(2);
    const named = ended.stderr.split("\n").map((line) => line.split(" ")[1]);
    expect(named).toEqual([
      "PORT",
      "LOG_LEVEL",
      "LOG_FORMAT",
      "REQUIRE_API_KEY",
      "CORS_ORIGINS",
      "CORS_ORIGINS",
      "Run",
      undefined,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that are empty count as unset", () => {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});

describe.concurrent("a service that cannot start explains why in one line and exits with 1:", () => {
  test("the port is in use", async () => {
    const path = tempDatabase();
    const ended = await failedStart({ PORT: String(service.port), DATABASE_URL: `sqlite:${path}` });
    expect(existsSync(path)).toBe(false);
    expect([ended.code, ended.stderr]).toEqual([
      1,
      `gpu-offers-server: port ${service.port} on 127.0.0.1 is in use. Set PORT to another port, or to 0 for any free port.\n`,
    ]);
    expect((await fetchFrom(service, "/health/ready")).status).toBe(200);
  });
});

describe.concurrent("the log", () => {
  test("is JSON lines if standard output is not a terminal", async () => {
    const { status } = await fetchFrom(service, "/health/live", { headers: { "X-Request-Id": "logged" } });
    expect(status).toBe(200);
    await service.logLine(({ requestId }) => requestId === "logged");
    const lines = logLines(service.process.stdout());
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatchObject({
        level: expect.stringMatching(/^info$/),
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        msg: expect.any(String),
      });
    }
  });

  test("has no other levels at LOG_LEVEL=warn", async () => {
    const logging = await startService({ settings: { LOG_LEVEL: "warn" } });
    await fetchFrom(logging, "/health/live");
    const { stdout } = await logging.stop();
    expect(levelsOf(stdout)).toEqual([]);
  });
});

test("a low limit of open files causes a warning, and V8 doesn't pretenure request objects after loading a catalog", async () => {
  const flags = "--trace-pretenuring --trace-pretenuring-statistics";
  const command = `ulimit -n 500; exec "${process.execPath}" ${flags} "${builtProgram("apps/api/dist/main.js")}"`;
  const settings = {
    PORT: "0",
    DATABASE_URL: `sqlite:${await starterDatabase()}`,
    LOG_FORMAT: "json",
    LOG_LEVEL: "debug",
  };
  const limited = await listening(startCommand("/bin/sh", ["-c", command], settings));
  const line = await limited.logLine(({ level }) => level === "warn");
  expect(line).toMatchObject({ limit: 500, msg: expect.stringContaining("limit of open files") });
  const { code, stdout } = await limited.stop();
  expect(code).toBe(0);
  // Reading the log fails if V8 printed anything.
  expect(stdout).not.toContain("pretenuring");
  expect(levelsOf(stdout)).toEqual(["debug", "info", "warn"]);
});

test("too low a limit of open files is an error that says so", async () => {
  const command = `ulimit -n 40; exec "${process.execPath}" "${builtProgram("apps/api/dist/main.js")}"`;
  const { code, stderr } = await startCommand("/bin/sh", ["-c", command], {}).ended;
  expect([code, stderr]).toEqual([1, "gpu-offers: at most 40 files may be open; 64 are needed. Raise ulimit -n.\n"]);
});

// The last test, since it stops the service.
test("SIGUSR1 opens no inspector", async () => {
  service.process.child.kill("SIGUSR1");
  await delay(500);
  expect((await fetchFrom(service, "/health/live")).status).toBe(200);
  const { code, stderr } = await service.stop();
  expect(code).toBe(0);
  expect(stderr).not.toMatch(/debugger|inspector/i);
});
