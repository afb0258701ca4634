import { basename, delimiter, dirname, relative, resolve, sep } from "node:path";
import { shellWord } from "@gpu-offers/domain";

// How this program was invoked, so that every command it prints can be pasted.

/** The program's own name, a placeholder in help texts for the name it was invoked by. */
export const PROGRAM_NAME = "gpu-offers-admin";

/** How the program was invoked. */
export interface Caller {
  /** Path of the script that Node runs. */
  script: string;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/** The command that invokes this program: a name on the PATH, a path, or a pnpm script. */
export function calledName({ script, environment, cwd }: Caller): string {
  // bin/gpu-offers-admin of the repository sets it to its own path.
  const wrapper = environment["GPU_OFFERS_CALLED_AS"];
  if (wrapper !== undefined && wrapper !== "") {
    return wrapper.includes(sep) ? nameOfPath(resolve(cwd, wrapper), environment, cwd) : wrapper;
  }
  if (environment["npm_lifecycle_event"] === "admin") {
    return environment["npm_execpath"]?.includes("_npx") === false ? "pnpm admin" : "npx -y pnpm@12 admin";
  }
  const name = nameOfPath(script, environment, cwd);
  return basename(script) === PROGRAM_NAME ? name : `node ${name}`;
}

function nameOfPath(path: string, environment: Caller["environment"], cwd: string): string {
  if ((environment["PATH"] ?? "").split(delimiter).includes(dirname(path))) {
    return basename(path);
  }
  const near = relative(cwd, path);
  const shortest = near.startsWith("..") ? path : near.includes(sep) ? near : `.${sep}${near}`;
  return shellWord(shortest);
}

/** A command line of this program, quoted for a shell: `invocation("account", "show", email)`. */
export function invocation(...args: readonly string[]): string {
  const { argv, env } = process;
  const called = calledName({ script: argv[1] ?? PROGRAM_NAME, environment: env, cwd: process.cwd() });
  return [called, ...args.map(shellWord)].join(" ");
}

/** Replaces the program's own name in a help text by the name it was invoked by. */
export function asCalled(text: string): string {
  return text.replaceAll(/(?<![\w/-])gpu-offers-admin(?![\w-])/g, () => invocation());
}
