import { readFileSync } from "node:fs";

/** One instruction of a Dockerfile, with continued lines joined. */
interface Instruction {
  /** In upper case: `RUN`. */
  name: string;
  text: string;
}

/** The stages of this repository's Dockerfile; each starts with its FROM. */
export const stages: Instruction[][] = [];
for (const [, name = "", text = ""] of readFileSync(new URL("../../../Dockerfile", import.meta.url), "utf8")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .matchAll(/^([A-Z]+) +(.*)$/gm)) {
  if (name === "FROM") {
    stages.push([]);
  }
  stages.at(-1)?.push({ name, text });
}

/** The texts of all instructions with a name, in the last stage, which becomes the image. */
function textsOf(name: string): string[] {
  return (stages.at(-1) ?? []).filter((instruction) => instruction.name === name).map(({ text }) => text);
}

const [uid = 0, gid = 0] = textsOf("USER").join().split(":").map(Number);

/** The image: its instructions, the settings of ENV, its user and group, and its commands. */
export const image = {
  all: textsOf,
  settings: Object.fromEntries(
    textsOf("ENV").flatMap((text) => Array.from(text.matchAll(/([^ =]+)=(\S*)/g), ([, name, value]) => [name, value])),
  ) as Record<string, string>,
  user: { uid, gid },
  command: JSON.parse(textsOf("CMD").join()) as string[],
  healthCheck: JSON.parse(/ CMD (\[.*\])$/.exec(textsOf("HEALTHCHECK").join())?.[1] ?? "[]") as string[],
};
