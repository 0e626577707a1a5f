/** Random histories of a state: what may be done to it, over few addresses and slots so that things meet. */
import fc from "fast-check";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";

export const ADDRESSES: readonly Bytes[] = [1, 2, 3, 4].map((id) => new Uint8Array(20).fill(id));
export const SLOTS: readonly Bytes[] = [0, 1, 2, 255].map((id) => {
  const slot = new Uint8Array(32);
  slot[31] = id;
  return slot;
});

export type Command =
  | { readonly kind: "put"; readonly address: Bytes; readonly nonce: bigint; readonly balance: bigint }
  | { readonly kind: "code"; readonly address: Bytes; readonly code: Bytes }
  | { readonly kind: "slot"; readonly address: Bytes; readonly slot: Bytes; readonly value: Bytes }
  | { readonly kind: "read"; readonly address: Bytes; readonly slot: Bytes }
  | { readonly kind: "clear"; readonly address: Bytes }
  | { readonly kind: "transaction"; readonly writes: readonly CommandedWrite[] }
  | { readonly kind: "root" | "commit" | "fork" };

/** An account after a transaction; members are undefined in meaning if it is deleted. */
export interface CommandedWrite {
  readonly address: Bytes;
  readonly isDeleted: boolean;
  readonly wipesStorage: boolean;
  readonly nonce: bigint;
  readonly balance: bigint;
  /** Undefined where the transaction does not set it. */
  readonly code: Bytes | undefined;
  readonly slots: readonly { readonly slot: Bytes; readonly value: Bytes }[];
}

const address = fc.constantFrom(...ADDRESSES);
const slot = fc.constantFrom(...SLOTS);
const value = fc.oneof(
  fc.constant(EMPTY_BYTES),
  fc.integer({ min: 1, max: 255 }).map((byte) => Uint8Array.of(byte)),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
    bytes[0] = 0x80;
    return bytes;
  }),
);
const code = fc.oneof(fc.constant(EMPTY_BYTES), fc.uint8Array({ minLength: 1, maxLength: 40 }));

const slotWrites = fc.uniqueArray(fc.record({ slot, value }), {
  selector: (write) => write.slot,
  maxLength: SLOTS.length,
});
const commandedWrite: fc.Arbitrary<CommandedWrite> = fc.record({
  address,
  isDeleted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  wipesStorage: fc.boolean(),
  nonce: fc.bigInt(0n, 3n),
  balance: fc.bigInt(0n, 3n),
  code: fc.option(code, { nil: undefined }),
  slots: slotWrites,
});
const writes = fc.uniqueArray(commandedWrite, { selector: (write) => write.address, minLength: 1, maxLength: 4 });

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("put" as const),
      address,
      nonce: fc.bigInt(0n, 300n),
      balance: fc.bigInt(0n, 1n << 90n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("code" as const), address, code }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("slot" as const), address, slot, value }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("read" as const), address, slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear" as const), address }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("transaction" as const), writes }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("root" as const, "commit" as const, "fork" as const) }),
  },
);

export const history: fc.Arbitrary<Command[]> = fc.array(command, { minLength: 1, maxLength: 80, size: "max" });
