/**
 * geth's tracers that a request may name, in the order in which errors list them.
 *
 * The struct logger is not among them: it runs where no tracer is named.
 */
export const NATIVE_TRACERS = [
  "callTracer",
  "flatCallTracer",
  "prestateTracer",
  "4byteTracer",
  "noopTracer",
  "stateGasTracer",
  "muxTracer",
] as const;
