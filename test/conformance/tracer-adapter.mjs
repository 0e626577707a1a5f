// The adapter that the tracer fixtures are run through: the contract is in the suite's own README.

/**
 * Traces the fixture's transaction in the fixture's block context, on top of its genesis state.
 *
 * geth's tracers are not part of the package yet, so every fixture fails; not-yet.json lists them.
 */
export async function traceFixture({ tracer }) {
  throw new Error(`the package has no ${tracer}`);
}
