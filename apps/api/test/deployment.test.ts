import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { listSettings } from "../src/config.ts";
import { image, stages } from "./dockerfile.ts";
import { fillTemplate } from "@gpu-offers/testkit/nginx";

// Deployment files other than programs: they must be consistent with each other and with the service.

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const isHere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const settingNames = listSettings().map(({ name }) => name);

test("images and actions of others are named by their content", () => {
  const workflows = readdirSync(join(REPOSITORY, ".github/workflows")).map((file) => `.github/workflows/${file}`);
  const named = ["Dockerfile", "deploy/compose.yaml", ...workflows].flatMap((path) =>
    [...read(path).matchAll(/^(?:FROM| *image:|[ -]*uses:) (\S+)/gm)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  const moving = named.filter((name) => !/@(?:sha256:[0-9a-f]{64}|[0-9a-f]{40})$/.test(name));
  expect(moving.filter((name) => !name.startsWith("gpu-offers:"))).toEqual([]);
});

describe("the Dockerfile", () => {
  const [build = []] = stages;
  const texts = (name: string): string[] => build.filter((each) => each.name === name).map(({ text }) => text);

  test("uses the repository's versions of Node and pnpm", () => {
    const workspace = parse(read("pnpm-workspace.yaml")) as { catalog: Record<string, string> };
    const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
    const bases = stages.map(([from]) => from?.text.split("@")[0]);
    expect(bases).toEqual(bases.map(() => `docker.io/library/node:${workspace.catalog["node"]}-bookworm-slim`));
    const commands = texts("RUN").join(" && ");
    expect(commands.match(/pnpm@[\d.]+/g)).toEqual([packageManager, packageManager, packageManager]);
    expect(commands).toContain("run package /gpu-offers");
  });

  test("copies everything that the build needs, and its output", () => {
    // The manifests come first, so that the layer of dependencies is cached while they are unchanged.
    expect(texts("COPY")).toEqual(["pnpm-lock.yaml pnpm-workspace.yaml ./", ". ."]);
    // Docker 24, podman and buildah do not support this option.
    expect(read("Dockerfile")).not.toContain("--start-interval");
    expect(image.all("COPY")).toEqual(["--from=build /gpu-offers /app"]);
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".git", "**/node_modules", "**/dist"]));
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const programs = [...(scripts["package"] ?? "").matchAll(/node (\S+\.mjs)/g)].map(([, path]) => path ?? "");
    const needed = [
      "package.json",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "tsconfig.base.json",
      "turbo.json",
      "LICENSE",
    ];
    for (const path of [...programs, ...needed, "apps", "packages", "deploy", "docs"]) {
      expect([path, existsSync(join(REPOSITORY, path))]).toEqual([path, true]);
      expect(ignored).not.toContain(path.split("/")[0]);
      expect(ignored).not.toContain(path);
    }
  });

  test("doesn't run as root, and receives signals directly without a shell", () => {
    expect(image.user.uid).toBeGreaterThan(999);
    expect(image.user.gid).toBeGreaterThan(999);
    expect(image.command).toEqual(["node", "/app/dist/main.js"]);
    expect(image.healthCheck.slice(0, 2)).toEqual(["node", "-e"]);
    expect(image.all("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(image.all("ENTRYPOINT")).toEqual([]);
  });

  test("sets only known settings, and stores data in the volume", () => {
    const { PATH, NODE_ENV, ...settings } = image.settings;
    expect([PATH, NODE_ENV]).toEqual(["/app/bin:$PATH", "production"]);
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(settings["DATABASE_URL"]).toMatch(new RegExp(`^sqlite:${image.all("VOLUME")[0]}/`));
    expect(settings["PORT"]).toBe(image.all("EXPOSE")[0]);
  });
});

interface ComposeService {
  image: string;
  environment: Record<string, string>;
  env_file?: unknown;
  healthcheck?: unknown;
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  networks: Record<string, { ipv4_address: string }>;
}

describe("deploy/compose.yaml", () => {
  const text = read("deploy/compose.yaml");
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const { postgres, nginx, ...instances } = services;

  test("has two or more instances that differ only in their address", () => {
    const all = Object.values(instances);
    expect(all.length).toBeGreaterThanOrEqual(2);
    const addresses = new Set(all.map(({ networks }) => networks["inside"]?.ipv4_address));
    expect(addresses.size).toBe(all.length);
    for (const { networks: _, ...instance } of all) {
      expect({ ...instance, networks: undefined }).toEqual({ ...all[0], networks: undefined });
      expect(instance).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(instance.env_file).toEqual([{ path: ".env", required: false }]);
      expect(instance.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
      const { PGPASSWORD, ...settings } = instance.environment;
      expect(PGPASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
      expect(settingNames).toEqual(expect.arrayContaining(Object.keys(settings)));
    }
  });

  test("lets the instances trust only nginx, and lists all of them in nginx", () => {
    const address = nginx?.networks["inside"]?.ipv4_address;
    const port = image.all("EXPOSE")[0];
    for (const { environment } of Object.values(instances)) {
      expect(environment["TRUST_PROXY"]).toBe(address);
    }
    const servers = nginx?.environment["GPU_OFFERS_SERVERS"] ?? "";
    expect([...servers.matchAll(/server (\S+) /g)].map(([, server]) => server)).toEqual(
      Object.values(instances).map(({ networks }) => `${networks["inside"]?.ipv4_address}:${port}`),
    );
    // Docker Compose substitutes variables from .env.
    const settings = { ...nginx?.environment, GPU_OFFERS_CACHE: "off" };
    expect(fillTemplate(settings)).not.toMatch(/is missing|\$\{/);
    expect(nginx?.volumes).toEqual(["./nginx.conf.template:/etc/nginx/templates/default.conf.template:ro"]);
  });

  test("starts each service once its dependencies are healthy, and keeps PostgreSQL's data", () => {
    expect(postgres?.healthcheck).toBeDefined();
    expect(postgres?.volumes).toEqual(["postgres:/var/lib/postgresql"]);
    expect(Object.keys(nginx?.depends_on ?? {})).toEqual(Object.keys(instances));
    expect(postgres?.image).toMatch(/:\d/);
    expect(nginx?.image).toMatch(/:\d/);
  });

  test("reads every secret and setting from .env, as shown in .env.example", () => {
    const variables = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    variables.delete("GPU_OFFERS_VERSION");
    // Only of the command that builds.
    variables.delete("BUILD");
    const shown = [...read("deploy/.env.example").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(new Set(shown)).toEqual(variables);
    expect(
      execFileSync("git", ["check-ignore", "--no-index", "deploy/.env"], { cwd: REPOSITORY, encoding: "utf8" }),
    ).toBe("deploy/.env\n");
  });

  test.skipIf(!isHere("docker", "compose", "version"))("is valid for docker compose", () => {
    const { status, stderr } = spawnSync(
      "docker",
      ["compose", "--file", "deploy/compose.yaml", "--env-file", "/dev/null", "config", "--quiet"],
      { cwd: REPOSITORY, encoding: "utf8", env: { ...process.env, POSTGRES_PASSWORD: "x" } },
    );
    expect([status, stderr]).toEqual([0, ""]);
  });
});

describe("deploy/gpu-offers.service", () => {
  const unit = read("deploy/gpu-offers.service");

  test("sets only known settings, and stores data in its state folder", () => {
    const [, environment = ""] = /^Environment=(.*)$/m.exec(unit) ?? [];
    const names = environment.split(" ").map((pair) => pair.split("=")[0]);
    expect(["NODE_ENV", ...settingNames]).toEqual(expect.arrayContaining(names));
    const [, folder = ""] = /^StateDirectory=(.*)$/m.exec(unit) ?? [];
    expect(environment).toContain(`DATABASE_URL=sqlite:/var/lib/${folder}/`);
    // Without it, listening on 0.0.0.0 fails: the framework lists the machine's addresses.
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });

  test.skipIf(!isHere("systemd-analyze", "--version"))("is valid for systemd, with a low exposure", () => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-offers-unit-"));
    try {
      const path = join(folder, "gpu-offers.service");
      writeFileSync(path, unit.replace("/usr/bin/node", process.execPath));
      const verified = spawnSync("systemd-analyze", ["verify", path], { encoding: "utf8" });
      expect([verified.status, verified.stderr]).toEqual([0, ""]);
      // The exposure in tenths, from 0 (none) to 100.
      const judged = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", path]);
      expect(judged.status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("no unit and no guide puts a database's URL, which may contain a password, on a command line", () => {
  for (const path of ["deploy/gpu-offers-backup.service", "docs/operations/backup.md"]) {
    expect(read(path)).not.toMatch(/--(?:from|to) "?\$|postgres:\/\//);
  }
});

describe("the units besides the service", () => {
  const units = readdirSync(join(REPOSITORY, "deploy")).filter((name) =>
    /-.*\.(?:service|timer)$/.test(name.slice(10)),
  );

  test("report their failure, if they may fail unseen", () => {
    for (const name of ["gpu-offers-backup.service", "gpu-offers-doctor.service"]) {
      expect(read(`deploy/${name}`)).toContain("OnFailure=gpu-offers-failed@%n.service");
    }
  });

  test.skipIf(!isHere("systemd-analyze", "--version"))("are valid for systemd", () => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-offers-unit-"));
    try {
      for (const name of [...units, "gpu-offers.service"]) {
        const text = read(`deploy/${name}`).replace(
          /\/opt\/gpu-offers\/bin\/gpu-offers-admin|\/usr\/bin\/node/,
          process.execPath,
        );
        writeFileSync(join(folder, name), text);
      }
      const paths = units.map((name) => join(folder, name.replace("@.", "@x.")));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...paths], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("the report of a failure runs the operator's command with the name of the unit", () => {
    const [, script = ""] =
      /^ExecStart=\/bin\/sh -c '(.+)' sh %i$/m.exec(read("deploy/gpu-offers-failed@.service")) ?? [];
    const { stdout } = spawnSync("/bin/sh", ["-c", script, "sh", "gpu-offers-backup.service"], {
      encoding: "utf8",
      env: { ON_FAILURE: 'echo "now: $1 failed" | tr a-z A-Z' },
    });
    expect(stdout).toBe("NOW: GPU-OFFERS-BACKUP.SERVICE FAILED\n");
  });
});
