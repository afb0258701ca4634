// Checks all texts for nonstandard vocabulary: docs, help, errors, log texts, comments, test names and names in code.
// Part of `pnpm test` and `pnpm check`:
//
//     node scripts/check-english.mjs [path ...]      default: all files tracked by git
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Patterns that must not occur, and what to write instead. */
const WORDS = [
  [/\banswer(?:s|ed|ing)?\b/i, "response, respond, result"],
  [/\bquestions?\b(?! marks?\b)/i, "request, query"],
  [/\bfaults?\b|\bfaulty\b/i, "error, problem"],
  [/\brefus(?:e|es|ed|ing|als?)\b/i, "reject, rejected, rejection"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\b(?:is|are) told\b(?! apart)|\btold by\b/i, "say who tells it: the source states, the service reports"],
  [/\bat most so many\b|\bso many\b/i, "maximum number of"],
  [/\bcame before\b/i, "is a duplicate of"],
  [
    /(?<!\bthere )\bis no (?:plain|whole|valid)?\s?(?:decimal|number|JSON|URL|catalog|provider|slug)\b/i,
    "is not a ...",
  ],
  [/\bis wanted\b|\bare wanted\b/i, "requires"],
  [/\bwrong question\b/i, "invalid query"],
  [/\bnobody\b(?!@)/i, "say what the software does"],
  [/\bwhoever\b/i, "say who"],
  [/\bat (?:fault|problem)\b/i, "say what is wrong"],
  [/\brespond(?:s|ed)? (?:all|every|requests|queries)\b/i, "respond to"],
  [/\brejects? to\b/i, "does not, cannot"],
];

/** Files that contain the words themselves, or texts of others. */
const SKIPPED = /^(?:scripts\/check-english\.mjs|pnpm-lock\.yaml|LICENSE)/;

/** Published codes, columns, file names and users that contain these words; they never change. */
const PUBLISHED =
  /\bunknown_fault\b|"refused(?: as rejected)?"|\brefused(?:: (?:number|rejected)\b| integer not null)|["`]nobody["`]|\banswer-\d+\.json\b/g;

const TEXT = /\.(?:md|ts|tsx|mjs|yaml|yml|json|template|service|timer|sh)$/;

const paths = process.argv.slice(2);
const files = execFileSync("git", ["ls-files", "--", ...paths], { encoding: "utf8" })
  .split("\n")
  .filter((file) => TEXT.test(file) && !SKIPPED.test(file));
let count = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const text = line.replaceAll(PUBLISHED, "");
    for (const [word, instead] of WORDS) {
      const found = word.exec(text)?.[0];
      if (found !== undefined) {
        count++;
        console.error(`${file}:${index + 1}: ${JSON.stringify(found)}; write ${instead}`);
      }
    }
  }
}
if (count > 0) {
  console.error(`${count} findings. The word list is in scripts/check-english.mjs.`);
  process.exitCode = 1;
}
