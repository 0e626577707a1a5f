/** Compiles the engine's core before the first test, where its sources have changed since the last time. */
import { buildCore } from "../../.ci/core.mjs";

export async function setup(): Promise<void> {
  await buildCore();
}
