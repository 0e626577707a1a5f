/** Entries of state tests made by hand, whose roots are worked out by @ethereumjs/mpt. */
import { createHash } from "node:crypto";
import { RLP } from "@ethereumjs/rlp";
import { type Bytes, EMPTY_BYTES, keyBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { type ModelAccount, StateModel } from "../../state/state-model.ts";

const addressOf = (name: string): Bytes => new Uint8Array(createHash("sha1").update(name).digest());

export const ALICE: Bytes = addressOf("alice");
export const BOB: Bytes = addressOf("bob");
export const COINBASE: Bytes = addressOf("coinbase");
export const ETHER = 10n ** 18n;

/** Gives a module of the sources by its path. */
export const fromSource = (path: string): Promise<Record<string, unknown>> =>
  import(new URL(`../../../src/${path}.ts`, import.meta.url).href);

export interface HandMade {
  readonly network: string;
  /** Accounts beside ALICE's, which has an ether. */
  readonly pre?: (state: StateModel) => void;
  /** Differences after the transaction. */
  readonly after?: (state: StateModel) => void;
  /** Members that differ from those of a transfer of 5 wei from ALICE to BOB for 21,000 gas at 10 wei. */
  readonly transaction?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  /** RLP items of the logs. */
  readonly logs?: readonly [Bytes, Bytes[], Bytes][];
  readonly expectException?: string;
}

export const ENVIRONMENT = {
  currentCoinbase: encodeData(COINBASE),
  currentDifficulty: "0x020000",
  currentGasLimit: "0x05f5e100",
  currentNumber: "0x05",
  currentTimestamp: "0x03e8",
  currentBaseFee: "0x0a",
  currentRandom: "0x0000000000000000000000000000000000000000000000000000000000020000",
  currentExcessBlobGas: "0x00",
};

export const TRANSFER = {
  data: ["0x"],
  gasLimit: ["0x5208"],
  gasPrice: "0x0a",
  nonce: "0x00",
  secretKey: `0x${"45".repeat(32)}`,
  sender: encodeData(ALICE),
  to: encodeData(BOB),
  value: ["0x05"],
};

/** An entry with one case, which passes if the executor does what `after` and `logs` say. */
export async function anEntry(made: HandMade) {
  const state = new StateModel();
  state.put(ALICE, { balance: ETHER });
  made.pre?.(state);
  const pre = preOf(state);
  made.after?.(state);
  const logs = keccak256(RLP.encode((made.logs ?? []).map(([address, topics, data]) => [address, topics, data])));
  const post = {
    hash: encodeData(await state.root()),
    logs: encodeData(logs),
    indexes: { data: 0, gas: 0, value: 0 },
    ...(made.expectException === undefined ? {} : { expectException: made.expectException }),
  };
  return {
    name: "made/by hand",
    ...(made.config === undefined ? {} : { config: made.config }),
    env: { ...ENVIRONMENT, ...made.env },
    pre,
    transaction: { ...TRANSFER, ...made.transaction },
    post: { [made.network]: [post] },
  };
}

function preOf(state: StateModel): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(state.accounts, ([address, account]) => [encodeData(keyBytes(address)), accountOf(account)]),
  );
}

function accountOf({ nonce, balance, code, slots }: ModelAccount) {
  const storage = Array.from(slots, ([slot, value]) => [encodeData(keyBytes(slot)), encodeData(value)]);
  return {
    nonce: encodeQuantity(nonce),
    balance: encodeQuantity(balance),
    code: encodeData(code),
    storage: Object.fromEntries(storage),
  };
}

/** A transfer of 5 wei to BOB is done, and 21,000 gas at 10 wei are paid to the coinbase, or burned from London on. */
export function transferred(isBurned: boolean): (state: StateModel) => void {
  return (state) => {
    state.put(ALICE, { nonce: 1n, balance: ETHER - 5n - 210_000n });
    state.put(BOB, { balance: 5n });
    if (!isBurned) state.put(COINBASE, { balance: 210_000n });
  };
}

/** An account without anything, which is there nevertheless. */
export const EMPTY: Partial<ModelAccount> = { nonce: 0n, balance: 0n, code: EMPTY_BYTES };
