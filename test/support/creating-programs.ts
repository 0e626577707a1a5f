/** Random EVM programs whose business is CREATE and CREATE2: nested, failing in every way, colliding, called afterwards. */
import fc from "fast-check";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { assemble, calling, deploying } from "./assembler.ts";
import { TARGET } from "./evm.ts";
import { OTHERS } from "./programs.ts";

const sources = (...programs: readonly string[]): fc.Arbitrary<Bytes> => fc.constantFrom(...programs.map(assemble));

/** Ends of code. What reverts here does not begin with 0xef, which EthereumJS takes for code even so. */
const ending = sources(
  "STOP",
  "32 0 RETURN",
  "40 0 RETURN",
  "24576 0 RETURN",
  "24577 0 RETURN",
  "0xef 0 MSTORE8 2 0 RETURN",
  "7 0 MSTORE8 40 0 REVERT",
  "7 0 MSTORE8 0 0 REVERT",
  "INVALID",
  "POP POP",
  "again: 10000 0 KECCAK256 POP @again JUMP",
  "CALLER SELFDESTRUCT",
  "ADDRESS SELFDESTRUCT",
);

const called = fc
  .tuple(
    fc.constantFrom("CALL", "CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"),
    fc.constantFrom(TARGET, ...OTHERS),
    fc.constantFrom(0n, 0n, 3n),
  )
  .map(([kind, address, value]) => assemble(`${calling(kind, address, value)} POP`));

const harmless = fc.oneof(
  { weight: 2, arbitrary: called },
  {
    weight: 3,
    arbitrary: sources(
      "5 1 SSTORE",
      "0 1 SSTORE",
      "1 SLOAD 2 SSTORE",
      "GAS 3 SSTORE",
      "RETURNDATASIZE 4 SSTORE",
      "RETURNDATASIZE 0 0 RETURNDATACOPY",
      "40 0 LOG0",
      "1 0 TSTORE",
      "0 TLOAD 5 SSTORE",
    ),
  },
);

/** What becomes of the address that a creation leaves. */
const use = sources(
  "POP",
  "POP",
  "6 SSTORE",
  "DUP1 BALANCE 7 SSTORE EXTCODESIZE 8 SSTORE",
  "0 0 0 0 0 DUP6 GAS CALL POP POP",
  "0 0 0 0 2 DUP6 30000 CALL POP POP",
  "0 0 0 0 DUP5 GAS DELEGATECALL POP POP",
);

/** Code that writes bytes to memory, from its start on. */
function writing(bytes: Bytes): Bytes {
  const words = [];
  for (let offset = 0; offset < bytes.length; offset += 32) {
    const word = new Uint8Array(32);
    word.set(bytes.subarray(offset, offset + 32));
    words.push(Uint8Array.of(0x7f), word, assemble(`${offset} MSTORE`));
  }
  return concatBytes(...words);
}

const creationOf = (initCode: fc.Arbitrary<Bytes>): fc.Arbitrary<Bytes> =>
  fc
    .record({
      initCode,
      // Beside its own length: what EIP-3860 just admits, what it does not, and more than any memory.
      length: fc.oneof(
        { weight: 12, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(0n, 49152n, 49153n, 1n << 40n, 1n << 255n) },
      ),
      value: fc.constantFrom(0n, 0n, 0n, 1n, 200n, 1001n),
      salt: fc.constantFrom(undefined, undefined, 0n, 0n, 1n),
      use,
    })
    .map(({ initCode: code, length, value, salt, use: after }) =>
      concatBytes(
        writing(code),
        assemble(`${salt ?? ""} ${length ?? code.length} 0 ${value} ${salt === undefined ? "CREATE" : "CREATE2"}`),
        after,
      ),
    );

function programOf(depth: number): fc.Arbitrary<Bytes> {
  if (depth === 0) {
    return fc.tuple(fc.array(harmless, { maxLength: 2 }), ending).map(([some, end]) => concatBytes(...some, end));
  }
  const inner = programOf(depth - 1);
  const initCode = fc.oneof(
    { weight: 1, arbitrary: fc.constant(EMPTY_BYTES) },
    { weight: 4, arbitrary: inner },
    { weight: 4, arbitrary: inner.map(deploying) },
  );
  const fragment = fc.oneof({ weight: 2, arbitrary: creationOf(initCode) }, { weight: 1, arbitrary: harmless });
  return fc
    .tuple(fc.array(fragment, { minLength: 1, maxLength: 4 }), ending)
    .map(([fragments, end]) => concatBytes(...fragments, end));
}

/** Bytecode; as init code too. Init code is nested two deep in it. */
export const creatingPrograms: fc.Arbitrary<Bytes> = programOf(2);
