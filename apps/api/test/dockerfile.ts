import { readFileSync } from "node:fs";

/** One instruction of a Dockerfile, with continued lines joined. */
export interface Instruction {
  /** In upper case: `RUN`. */
  name: string;
  text: string;
}

/** The stages of this repository's Dockerfile; each starts with its FROM. */
export function readDockerfile(): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = readFileSync(new URL("../../../Dockerfile", import.meta.url), "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === "FROM") {
      stages.push([]);
    }
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The last stage of the Dockerfile, which becomes the image. */
export class Image {
  readonly #instructions = readDockerfile().at(-1) ?? [];

  /** The texts of all instructions with a name. */
  all(name: string): string[] {
    return this.#instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
  }

  /** The settings of ENV. */
  get settings(): Record<string, string> {
    return Object.fromEntries(
      this.all("ENV").flatMap((text) =>
        text.split(/ +/).map((pair): [string, string] => {
          const [name = "", ...value] = pair.split("=");
          return [name, value.join("=")];
        }),
      ),
    );
  }

  /** The user and group of USER. */
  get user(): { uid: number; gid: number } {
    const [uid = 0, gid = 0] = (this.all("USER").at(-1) ?? "").split(":").map(Number);
    return { uid, gid };
  }

  /** The command of CMD. */
  get command(): string[] {
    return JSON.parse(this.all("CMD").at(-1) ?? "[]") as string[];
  }

  /** The command of HEALTHCHECK. */
  get healthCheck(): string[] {
    return JSON.parse(/ CMD (\[.*\])$/.exec(this.all("HEALTHCHECK").at(-1) ?? "")?.[1] ?? "[]") as string[];
  }
}
