/** Compiles what is written in AssemblyScript before the first test, where its sources have changed since the last time. */
import { buildCores } from "../../.ci/core.mjs";

export async function setup(): Promise<void> {
  await buildCores();
}
