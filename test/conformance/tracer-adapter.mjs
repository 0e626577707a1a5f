// The adapter that the tracer fixtures are run through: the contract is in the suite's own README. The environment variable
// HINDCAST_TRACER_ENGINE names the engine; without it, it is the library's default.
import { encodeGethTrace, traceTransactionOnState } from "hindcast";
import { traceOnGenesis } from "./tracer-request.mjs";

const engine = process.env.HINDCAST_TRACER_ENGINE;

/** Traces a fixture. */
export async function traceFixture(fixture) {
  return encodeGethTrace(await traceOnGenesis(traceTransactionOnState, engine, fixture));
}
