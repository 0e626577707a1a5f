/** The memory region that an opcode reads or writes, as vmTrace shows it, by the operands that name it. */
import { INSTRUCTIONS } from "./instructions.ts";
import type { MemoryRegion } from "./memory-region.ts";

/** The memory region by opcode. */
export const MEMORY_REGIONS: readonly (MemoryRegion | undefined)[] = Array.from(
  { length: 256 },
  (_, opcode) => INSTRUCTIONS.find((instruction) => instruction.opcode === opcode)?.names.memory,
);
