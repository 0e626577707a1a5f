/** How much memory buffers take, once garbage is collected. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of all buffers in use. The second collection counts what the first one found, which threads release. */
export function bytesOfBuffers(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 2; times++) collect();
  return process.memoryUsage().arrayBuffers;
}
