// Runs tasks (`build`, `build,typecheck`) for one package and its dependencies, or for all. It prints nothing unless a task
// fails: standard output belongs to the command that runs afterwards (an export, JSON).
// Turbo caches finished tasks, so a second call is cheap.
import { compileFacts } from "./facts/compile.mjs";
import { pnpm } from "./pnpm.mjs";

compileFacts();
const [tasks = "", packageName] = process.argv.slice(2);
const filter = packageName === undefined ? [] : [`--filter=${packageName}...`];
const options = ["--output-logs=errors-only", "--log-prefix=none"];
pnpm(["exec", "turbo", "run", ...tasks.split(","), ...filter, ...options], tasks);
