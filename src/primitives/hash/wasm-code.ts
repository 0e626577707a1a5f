/** Generates small WebAssembly modules of one function and one page of memory. */

/** Opcodes and types of the binary format. */
export const Wasm = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  loadI64: 0x29,
  storeI64: 0x37,
  constI32: 0x41,
  constI64: 0x42,
  isZeroI32: 0x45,
  lessI32: 0x48,
  addI32: 0x6a,
  subtractI32: 0x6b,
  addI64: 0x7c,
  andI64: 0x83,
  xorI64: 0x85,
  rotateLeftI64: 0x89,
  rotateRightI64: 0x8a,
  typeI32: 0x7f,
  typeI64: 0x7e,
  typeFunction: 0x60,
  voidBlock: 0x40,
} as const;

/** A sequence of instructions under construction. */
export class WasmCode {
  readonly bytes: number[] = [];

  push(...bytes: readonly number[]): void {
    this.bytes.push(...bytes);
  }

  get(local: number): void {
    this.push(Wasm.localGet, ...unsigned(local));
  }

  set(local: number): void {
    this.push(Wasm.localSet, ...unsigned(local));
  }

  tee(local: number): void {
    this.push(Wasm.localTee, ...unsigned(local));
  }

  constI32(value: number): void {
    this.push(Wasm.constI32, ...signed(BigInt(value)));
  }

  constI64(value: bigint): void {
    this.push(Wasm.constI64, ...signed(BigInt.asIntN(64, value)));
  }

  add(): void {
    this.push(Wasm.addI64);
  }

  xor(): void {
    this.push(Wasm.xorI64);
  }

  rotateLeft(bits: number): void {
    this.constI64(BigInt(bits));
    this.push(Wasm.rotateLeftI64);
  }

  rotateRight(bits: number): void {
    this.constI64(BigInt(bits));
    this.push(Wasm.rotateRightI64);
  }

  /** Replaces an address on the stack by the 64 bits at that address plus `offset`. */
  load(offset: number): void {
    this.push(Wasm.loadI64, 3, ...unsigned(offset));
  }

  /** Writes the 64 bits on the stack to the address below them plus `offset`. */
  store(offset: number): void {
    this.push(Wasm.storeI64, 3, ...unsigned(offset));
  }
}

/** Description of a module. */
export interface WasmFunction {
  /** Types of the parameters, which are the first local variables. */
  readonly parameters: readonly number[];
  /** The other local variables, as counts of a type. */
  readonly locals: readonly (readonly [count: number, type: number])[];
  /** Instructions, the last of them {@link Wasm.end}. */
  readonly body: readonly number[];
  /** Initial content of the memory, from an address on. */
  readonly data?: { readonly address: number; readonly bytes: Uint8Array };
}

/** A module in the binary format. It exports the function as `f` and its memory of one page as `m`. */
export function wasmModule({ parameters, locals, body, data }: WasmFunction): Uint8Array<ArrayBuffer> {
  const declared = locals.flatMap(([count, type]) => [...unsigned(count), type]);
  const code = [...unsigned(locals.length), ...declared, ...body];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, Wasm.typeFunction, parameters.length, ...parameters, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name("f"), 0, 0, ...name("m"), 2, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
    ...(data === undefined ? [] : section(11, dataAt(data.address, data.bytes))),
  ]);
}

function dataAt(address: number, bytes: Uint8Array): number[] {
  return [1, 0, Wasm.constI32, ...signed(BigInt(address)), Wasm.end, ...unsigned(bytes.length), ...bytes];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128. */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
