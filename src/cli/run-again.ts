/** Runs a node of a chain in PostgreSQL again when another node has taken the chain over. */
import type { CliSettings } from "./options/settings.ts";

/** The signal that ends a node, and what is called when it is up for the first time. */
interface Ending {
  readonly stop: AbortSignal;
  readonly onUp?: () => void;
}

/**
 * A node that lost its chain to another one begins again from the log, and stands by.
 *
 * @param run - runs it until the context's signal aborts; if `fenced` has, it ends without reading the chain.
 *   Returns the port on which it listened
 */
export async function runAgain<Context extends Ending>(
  settings: CliSettings,
  context: Context,
  run: (settings: CliSettings, context: Context, fenced: AbortSignal) => Promise<number | undefined>,
): Promise<void> {
  const fenced = new AbortController();
  const { shared } = settings;
  if (shared === undefined) {
    await run(settings, context, fenced.signal);
    return;
  }
  const onFenced = (): void => fenced.abort();
  const stop = AbortSignal.any([context.stop, fenced.signal]);
  const port = await run({ ...settings, shared: { ...shared, onFenced } }, { ...context, stop }, fenced.signal);
  if (!fenced.signal.aborted || context.stop.aborted) return;
  const isUp = (): void => undefined;
  // Files were read at the first start: the log has what came of them.
  const { importPath: _, loadStatePath: __, ...others } = settings;
  const again = { ...others, port: port ?? settings.port, shared: { ...shared, role: "standby" } as const };
  await runAgain(again, { ...context, onUp: isUp }, run);
}
