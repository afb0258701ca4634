// Imported before everything else: on an older Node the SQLite binding ends the process without a message.

const OLDEST_MAJOR = 22;

if (Number(process.versions.node.split(".")[0]) < OLDEST_MAJOR) {
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node ${OLDEST_MAJOR} or newer is required. npx -y pnpm@12 start brings its own.\n`,
  );
  process.exit(1);
}
