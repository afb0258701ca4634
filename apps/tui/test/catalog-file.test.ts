import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { nativeFile, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { runInProcess } from "./in-process.ts";
import { PROGRAM, run } from "./program.ts";

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

const service = inject("service");

describe("--catalog", () => {
  const csv = (folder: string, name: string, rows: readonly string[]) => {
    mkdirSync(join(folder, "hyperstack"), { recursive: true });
    const path = join(folder, "hyperstack", name);
    const header = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice";
    writeFileSync(path, [header, ...rows, ""].join("\n"));
    return path;
  };
  const good = "n3-A100x1,A100-80G-PCIe,1,28,120.0,,1.35,CANADA-1,";
  const bad = "n3-Foox1,Foo9000,1,28,120.0,,1.35,CANADA-1,";

  test("reads a SkyPilot file of a provider's folder, and says how many rows it rejected and where to see why", async () => {
    const path = csv(tempFolder(), "vms.csv", [good, bad]);
    const { code, stdout, stderr } = await runInProcess(["--list", "--format", "ndjson", "--catalog", path]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider: { name: "hyperstack" }, gpu: { slug: "a100-pcie-80gb" } });
    expect(stderr).toBe(
      `gpu-offers: 1 row was rejected. For the reasons, run gpu-offers rejected --catalog ${path}.\n`,
    );
    const rejected = await run(["rejected", "--catalog", path, "--format", "ndjson"]);
    expect(JSON.parse(rejected.stdout)).toMatchObject({ where: "line 3", code: "unknown_gpu" });
  });

  test("names a command that lists the rejected rows, whatever the file is called", async () => {
    const path = csv(tempFolder(), "it's mine.csv", [bad]);
    const { stderr } = await runInProcess(["--list", "--catalog", path, "--provider", "hyperstack"]);
    const [, command = ""] = / run (gpu-offers rejected .*)\.\n/.exec(stderr) ?? [];
    const line = `${command.replace("gpu-offers", `"${process.execPath}" "${PROGRAM}"`)} --format ndjson`;
    expect(JSON.parse(execFileSync("sh", ["-c", line], { encoding: "utf8" }))).toMatchObject({ where: "line 2" });
  });

  test("aligns columns after wide characters", async () => {
    const types = ["昇腾-910b 👩‍💻", "h100x1"];
    const path = nativeFile(types.map((instanceType) => nativeRow({ instanceType })));
    const { stdout } = await runInProcess(["--list", "--catalog", path]);
    // The first type takes 12 columns of the terminal.
    const lines = stdout.replace("昇腾-910b 👩‍💻", "123456789012").split("\n");
    const [first, second] = ["123456789012", "h100x1"].map((type) => lines.find((line) => line.includes(type)));
    expect(first).toBe(second?.replace(/h100x1 {6}/, "123456789012"));
  });

  test("needs the provider of a SkyPilot file in any other folder", async () => {
    const path = csv(tempFolder(), "mine.csv", [good]);
    const unnamed = await runInProcess(["--list", "--catalog", path]);
    expect(unnamed).toMatchObject({ code: 2, stdout: "" });
    expect(unnamed.stderr).toMatch(/such as --provider aws/);
    const named = await runInProcess(["--first", "--catalog", path, "--provider", "hyperstack"]);
    expect(JSON.parse(named.stdout)).toMatchObject({ deployment: { provider: "hyperstack" } });
  });

  test("reads saved responses of a service", async () => {
    const offers = await runInProcess(["--list", "--gpu", "h100-nvl", "--format", "json"], {
      GPU_OFFERS_URL: service.url,
    });
    const path = join(tempFolder(), "response.json");
    writeFileSync(path, offers.stdout);
    const read = await runInProcess(["--list", "--format", "json", "--catalog", path]);
    // Responses of the API have neither ages nor listings.
    const ofOffers = (stdout: string): unknown =>
      JSON.parse(stdout, (name, value: unknown) => (["pricesAsOf", "listing"].includes(name) ? undefined : value));
    expect(ofOffers(read.stdout)).toEqual(ofOffers(offers.stdout));
  });

  test("reads standard input for -", async () => {
    const child = spawn(
      "sh",
      ["-c", `"${process.execPath}" "${PROGRAM}" --list --format csv --catalog - <"${STARTER}"`],
      {
        env: { PATH: process.env["PATH"], XDG_CONFIG_HOME: tempFolder() },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let stdout = "";
    child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
    await once(child, "close");
    expect(stdout.split("\r\n").length).toBeGreaterThan(300);
  });
});
