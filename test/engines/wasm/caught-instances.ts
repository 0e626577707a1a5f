/** Lets a test break the core: keeps the instances that are made of it meanwhile, and fills their memory with nonsense. */

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
}

export class CaughtInstances implements Disposable {
  readonly #real = host.Instance;
  readonly #caught: CaughtCore[] = [];

  constructor() {
    const caught = this.#caught;
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

  /** Writes nonsense all over the memory of an instance, so that the core itself traps as soon as it goes on. */
  corrupt(index: number): void {
    const core = this.#caught[index];
    if (core === undefined) throw new TypeError(`CaughtInstances: there is no instance ${index}`);
    new Uint8Array(core.memory.buffer).fill(0xee);
  }

  /** From now on nobody's instances are kept. */
  [Symbol.dispose](): void {
    host.Instance = this.#real;
  }
}
