/** Random options of struct logs. */
import fc from "fast-check";
import type { StructLogOptions } from "../../src/tracer/formats/struct-log.ts";

export const structLogOptions: fc.Arbitrary<StructLogOptions> = fc.record(
  {
    enableMemory: fc.boolean(),
    disableStack: fc.boolean(),
    disableStorage: fc.boolean(),
    enableReturnData: fc.boolean(),
    limit: fc.nat(30),
  },
  { requiredKeys: [] },
);
