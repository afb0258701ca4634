import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

/** Starts a service that is expected to exit by itself. */
const failedStart = (settings: Record<string, string>, cwd = tempFolder()) =>
  startProcess("main.js", [], { PORT: "0", ...settings }, { cwd }).ended;

describe.concurrent("a service that cannot start explains why in one line and exits with 1:", () => {
  test("the address is not this machine's", async () => {
    const ended = await failedStart({ HOST: "192.0.2.1", PORT: "3000", DATABASE_URL: `sqlite:${tempDatabase()}` });
    expect([ended.code, ended.stderr]).toEqual([
      1,
      "gpu-offers-server: cannot listen on 192.0.2.1:3000 (EADDRNOTAVAIL). Check HOST and PORT.\n",
    ]);
  });

  test.for([
    ["no-such-host.invalid", "EAI_AGAIN|ENOTFOUND"],
    ["fe80::1", "EINVAL|EADDRNOTAVAIL|EAFNOSUPPORT"],
  ])("it cannot listen on the address %s", async ([HOST = "", codes = ""]) => {
    const ended = await failedStart({ HOST, PORT: "3000", DATABASE_URL: `sqlite:${tempDatabase()}` });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      new RegExp(`^gpu-offers-server: cannot listen on ${HOST}:3000 \\((?:${codes})\\)\\. Check HOST and PORT\\.\n$`),
    );
  });

  const databases: [what: string, make: (folder: string) => string][] = [
    [
      "the database is a folder",
      (folder) => {
        mkdirSync(join(folder, "data"));
        return join(folder, "data");
      },
    ],
    [
      "the database is another file",
      (folder) => {
        writeFileSync(join(folder, "letter.txt"), "Dear database, ".repeat(100));
        return join(folder, "letter.txt");
      },
    ],
    [
      "the folder of the database is a file",
      (folder) => {
        writeFileSync(join(folder, "file"), "");
        return join(folder, "file", "catalog.sqlite");
      },
    ],
    [
      "the database is from a newer gpu-offers",
      (folder) => {
        const path = join(folder, "newer.sqlite");
        const file = new SqliteDatabase(path);
        file.exec(
          "create table kysely_migration (name varchar(255) primary key not null, timestamp varchar(255) not null)",
        );
        file.exec("insert into kysely_migration values ('999-future', '2030-01-01T00:00:00.000Z')");
        file.close();
        return path;
      },
    ],
  ];
  test.for(databases)("%s", async ([, make]) => {
    const path = make(tempFolder());
    const ended = await failedStart({ DATABASE_URL: `sqlite:${path}` });
    expect(ended.code).toBe(1);
    expect(ended.stderr.split("\n")).toEqual([
      expect.stringMatching(/^gpu-offers-server: cannot open the database \S+: \S/),
      "",
    ]);
    expect(ended.stderr).toContain(path);
    expect(ended.stdout).toBe("");
  });
});

describe.concurrent("the log", () => {
  test("is human-readable with LOG_FORMAT=pretty", async () => {
    const logging = await startService({ settings: { LOG_FORMAT: "pretty" } });
    await fetchFrom(logging, "/health/live");
    const { stdout } = await logging.stop();
    expect(stdout).toMatch(/INFO.*: listening/);
    expect(stdout).toMatch(/INFO.*: request .*"url":"\/health\/live"/);
  });
});
