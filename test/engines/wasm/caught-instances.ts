/** Lets a test break the core: keeps the instances that are made of it meanwhile, and fills their memory with nonsense. */

import { Records } from "../../../src/engines/wasm/core-exports.generated.ts";
import { poolsOfThread } from "../../../src/engines/wasm/pools-of-thread.ts";

interface WebAssemblyOfHost {
  Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly RuntimeError: new (message: string) => Error;
}

const host = (globalThis as unknown as { readonly WebAssembly: WebAssemblyOfHost }).WebAssembly;

/** V8's error for a trap in WebAssembly. */
export const RuntimeError = host.RuntimeError;

/** An instance of the core as far as tests look at it. */
interface CaughtCore {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly mailbox: { readonly value: number };
  readonly accounts: { readonly value: number };
  readonly slots: { readonly value: number };
}

const { bytes: TABLE_BYTES } = Records.Table;

export class CaughtInstances implements Disposable {
  readonly #real = host.Instance;
  readonly #caught: CaughtCore[] = [];

  constructor() {
    const caught = this.#caught;
    // Those that closed nodes left would be used, and not be caught.
    poolsOfThread().dropIdle();
    host.Instance = class extends this.#real {
      constructor(module: object, imports: object) {
        super(module, imports);
        if ("memory" in this.exports && "mailbox" in this.exports) caught.push(this.exports as CaughtCore);
      }
    };
  }

  /** Number of instances made. */
  get count(): number {
    return this.#caught.length;
  }

  /** Bytes of memory that each has. */
  get sizes(): readonly number[] {
    return this.#caught.map(({ memory }) => memory.buffer.byteLength);
  }

  /**
   * Writes nonsense all over the memory of an instance, so that the core itself traps as soon as it goes on. Spares the
   * records of its tables: with those a session begins, before there is a transaction to name.
   */
  corrupt(index: number): void {
    const core = this.#caught[index];
    if (core === undefined) throw new TypeError(`CaughtInstances: there is no instance ${index}`);
    const bytes = new Uint8Array(core.memory.buffer);
    const spared = [core.accounts, core.slots].map(({ value }) => ({
      at: value,
      record: bytes.slice(value, value + TABLE_BYTES),
    }));
    bytes.fill(0xee);
    for (const { at, record } of spared) bytes.set(record, at);
  }

  /** From now on nobody's instances are kept, and no other node uses one that was corrupted. */
  [Symbol.dispose](): void {
    poolsOfThread().dropIdle();
    host.Instance = this.#real;
  }
}
