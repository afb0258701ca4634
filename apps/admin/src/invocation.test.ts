import { describe, expect, test } from "vitest";
import { calledName, type Caller } from "./invocation.js";

const called = (caller: Partial<Caller>): string =>
  calledName({ script: "/app/dist/admin/main.js", environment: { PATH: "/usr/bin" }, cwd: "/home/ada", ...caller });

describe("the name that the admin command was invoked by", () => {
  test("is the repository's wrapper, relative to the current folder", () => {
    const wrapped = (path: string, cwd: string, PATH = "/usr/bin") =>
      called({ cwd, environment: { PATH, GPU_OFFERS_CALLED_AS: path } });
    expect(wrapped("bin/gpu-offers-admin", "/repo")).toBe("bin/gpu-offers-admin");
    expect(wrapped("/repo/bin/gpu-offers-admin", "/repo")).toBe("bin/gpu-offers-admin");
    expect(wrapped("./gpu-offers-admin", "/repo/bin")).toBe("./gpu-offers-admin");
    expect(wrapped("../repo/bin/gpu-offers-admin", "/other")).toBe("/repo/bin/gpu-offers-admin");
    expect(wrapped("/repo/bin/gpu-offers-admin", "/repo", "/repo/bin:/usr/bin")).toBe("gpu-offers-admin");
  });

  test("is the bare name if it is on the PATH, as in the image", () => {
    expect(called({ script: "/app/bin/gpu-offers-admin", environment: { PATH: "/app/bin:/usr/bin" } })).toBe(
      "gpu-offers-admin",
    );
  });

  test("is the path of the program in a package elsewhere", () => {
    expect(called({ script: "/app/bin/gpu-offers-admin" })).toBe("/app/bin/gpu-offers-admin");
    expect(called({ script: "/home/ada/my app/bin/gpu-offers-admin" })).toBe("'my app/bin/gpu-offers-admin'");
  });

  test("is the pnpm script, with npx if pnpm was run by npx", () => {
    const script = (npm_execpath: string) =>
      called({ environment: { npm_lifecycle_event: "admin", npm_execpath, PATH: "/usr/bin" } });
    expect(script("/root/.npm/_npx/1a2b/node_modules/pnpm/bin/pnpm.cjs")).toBe("npx -y pnpm@12 admin");
    expect(script("/usr/lib/node_modules/pnpm/bin/pnpm.cjs")).toBe("pnpm admin");
  });

  test("is node with the script otherwise", () => {
    expect(called({})).toBe("node /app/dist/admin/main.js");
  });
});
