// A node of a chain in PostgreSQL as a process: what the command does, with a lease that tests can wait for. It prints its URL
// each time that it listens, and begins again as a node that stands by when another one has taken its chain over.
const { library, options, clockMs = 0 } = JSON.parse(process.argv[2]);

// The clock of this machine is wrong by so much.
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + clockMs] : parts));
  }
  static now() {
    return RealDate.now() + clockMs;
  }
};

const { createNode } = await import(library);

/** Waits for PostgreSQL, as the command does. */
async function opened(nodeOptions) {
  for (;;) {
    try {
      return await createNode(nodeOptions);
    } catch (error) {
      if (error.code !== "SHARED_LOG_UNREACHABLE") throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
}

async function run(role, port) {
  let fence;
  const fenced = new Promise((resolve) => {
    fence = resolve;
  });
  const onError = (error) => process.stderr.write(`${error.stack}\n`);
  const node = await opened({ ...options, onError, shared: { ...options.shared, role, onFenced: fence } });
  // Of changes that are more than one row of the log.
  const server = await node.listen({ port, maxBodyBytes: 64 * 1024 * 1024 });
  process.stdout.write(`${server.url}\n`);
  await fenced;
  await node.close();
  return server.port;
}

for (let role = options.shared.role, port = 0; ; role = "standby") port = await run(role, port);
