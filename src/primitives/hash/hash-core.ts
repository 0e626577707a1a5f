/**
 * Hashes in WebAssembly, where a 64-bit rotation is one instruction; in JavaScript it is a dozen, and hashing takes half of
 * the time of computing a state root. `core/` is compiled to the module.
 */
import type { Bytes } from "../bytes/bytes.ts";
import { readBuilt } from "../platform/built-files.ts";

/** The module. Each instance has a memory of its own. */
export const HASH_CORE: Bytes = readBuilt("hash-core.wasm");
