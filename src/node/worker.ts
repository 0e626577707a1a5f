/** The program of all threads: loads what a thread's kind of work needs, and does it. */
import { serveThread } from "../primitives/platform/thread.ts";
import type { ThreadData } from "../tracer/script/thread/protocol.ts";

await serveThread({
  precompiles: async () => (await import("../engines/wasm/precompiles/answers.ts")).openAnswers(),
  proofs: async () => (await import("../chainspec/proof-thread.ts")).openProofs(),
  scripts: async (data: ThreadData) => {
    const [{ serveScripts }, { openEngine }] = await Promise.all([
      import("../tracer/script/thread/serve-scripts.ts"),
      import("./engines.ts"),
    ]);
    serveScripts(openEngine, data);
    return undefined;
  },
  signers: async () => (await import("../chainspec/signer-thread.ts")).openSigners(),
});
