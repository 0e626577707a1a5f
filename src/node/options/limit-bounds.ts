/** Least and most values of limits, for options of the library and of the command. */

/** Bytes: the initial memory of an engine. */
export const MIN_EXECUTION_MEMORY = 2 ** 24;
/** Bytes: a long execution has 8 MiB of steps in memory, whatever its trace. */
export const MIN_RECORDING_MEMORY = 2 ** 24;
/** Bytes: the most that 32 bits can address. */
export const MAX_EXECUTION_MEMORY = 2 ** 32;
/** Largest size of an array in bytes on all supported versions of Node. */
export const MAX_STATE_FILE_BYTES = 2 ** 32;

/** Milliseconds: the shortest lease of a chain in PostgreSQL. It is renewed four times. */
export const SHORTEST_LEASE_MS = 500;
/** Milliseconds: the longest one, for which a chain may have no writer. */
export const LONGEST_LEASE_MS = 600_000;
