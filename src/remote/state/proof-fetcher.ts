/** Fetches accounts and slots with verification: by eth_getProof, against the block's state root. */
import { type Bytes, bytesKey, EMPTY_BYTES, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT, keccak256 } from "../../primitives/hash/hash.ts";
import { hashNodes, lookUpIn, type ProofNode, provenAccount, provenSlot } from "../merkle-proof.ts";
import { lie } from "../remote-errors.ts";
import type { RemoteAccount, StateKeys } from "../upstream.ts";
import { readData, readList, readObject, readQuantity, readSlotValue } from "../wire.ts";
import type { BlockReads } from "./block-reads.ts";
import type { FetchReceiver, StateFetcher } from "./state-fetcher.ts";

/** Most slots of one eth_getProof. */
const SLOTS_A_PROOF = 100;

/** Keys of one account in a batch. */
interface Question extends StateKeys {
  readonly wantsAccount: boolean;
}

/** An answer of eth_getProof. */
interface Proof {
  /** Of the node that answered. */
  readonly label: string;
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly accountNodes: readonly ProofNode[];
  readonly slots: readonly { readonly value: Bytes; readonly nodes: readonly ProofNode[] }[];
}

/** Used with `verify`. An answer that does not fit the root throws {@link RemoteError}. */
export class ProofFetcher implements StateFetcher {
  readonly isProven = true;
  readonly #reads: BlockReads;
  readonly #stateRoot: () => Promise<Bytes>;

  /** @param stateRoot - of a header that was verified by the block's hash */
  constructor(reads: BlockReads, stateRoot: () => Promise<Bytes>) {
    this.#reads = reads;
    this.#stateRoot = stateRoot;
  }

  fetch(accounts: readonly Bytes[], slots: readonly StateKeys[], receiver: FetchReceiver): void {
    for (const question of questionsOf(accounts, slots)) void this.#fetch(question, receiver);
  }

  async #fetch({ address, slots, wantsAccount }: Question, receiver: FetchReceiver): Promise<void> {
    try {
      const proving = this.#prove(address, slots);
      const [{ account, values, nodes }, code] = await Promise.all([
        proving,
        wantsAccount ? this.#labelledCode(address) : NO_CODE,
      ]);
      if (wantsAccount) this.#checkCode(address, account, code);
      receiver.nodes(nodes);
      if (wantsAccount) receiver.account(address, { account, code: code.bytes });
      slots.forEach((slot, index) => {
        receiver.slot(address, slot, values[index] ?? EMPTY_BYTES);
      });
    } catch (error) {
      if (wantsAccount) receiver.accountFailed(address, error);
      for (const slot of slots) receiver.slotFailed(address, slot, error);
    }
  }

  async #prove(address: Bytes, slots: readonly Bytes[]): Promise<Proven> {
    const params = [encodeData(address), slots.map(encodeData)];
    const [stateRoot, proof] = await Promise.all([
      this.#stateRoot(),
      this.#reads.read("eth_getProof", params, (answer, label) => readProof(answer, slots.length, label)),
    ]);
    const account = this.#check(proof.label, `account ${encodeData(address)}`, () => {
      const proven = provenAccount(stateRoot, address, lookUpIn(proof.accountNodes));
      const isAsSaid = proof.balance === (proven?.balance ?? 0n) && proof.nonce === (proven?.nonce ?? 0n);
      if (!isAsSaid) throw new RangeError("its balance or nonce is not the one that its proof gives");
      return proven;
    });
    const storageRoot = account?.storageRoot ?? EMPTY_TRIE_ROOT;
    const values = proof.slots.map(({ value, nodes }, index) => {
      const slot = slots[index] ?? EMPTY_BYTES;
      return this.#check(proof.label, `slot ${encodeData(slot)} of account ${encodeData(address)}`, () => {
        const proven = provenSlot(storageRoot, slot, lookUpIn(nodes));
        if (!equalBytes(proven, value)) throw new RangeError("its value is not the one that its proof gives");
        return proven;
      });
    });
    return { account, values, nodes: [...proof.accountNodes, ...proof.slots.flatMap(({ nodes }) => nodes)] };
  }

  #checkCode(address: Bytes, account: RemoteAccount | undefined, { bytes: code, label }: LabelledCode): void {
    this.#check(label, `the code of account ${encodeData(address)}`, () => {
      const hash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
      if (!equalBytes(hash, account?.codeHash ?? EMPTY_CODE_HASH))
        throw new RangeError("it has another hash than proven");
    });
  }

  #check<T>(label: string, subject: string, prove: () => T): T {
    try {
      return prove();
    } catch (error) {
      const { number } = this.#reads.block;
      throw lie(label, `${subject} at block ${number}`, (error as Error).message);
    }
  }

  async code(address: Bytes): Promise<Bytes> {
    return (await this.#labelledCode(address)).bytes;
  }

  #labelledCode(address: Bytes): Promise<LabelledCode> {
    return this.#reads.read("eth_getCode", [encodeData(address)], (answer, label) => ({
      bytes: readData(answer),
      label,
    }));
  }

  async hasStorage(address: Bytes): Promise<boolean> {
    const { account } = await this.#prove(address, []);
    return !equalBytes(account?.storageRoot ?? EMPTY_TRIE_ROOT, EMPTY_TRIE_ROOT);
  }
}

/** A code, and the label of the node that gave it. */
interface LabelledCode {
  readonly bytes: Bytes;
  readonly label: string;
}

const NO_CODE: LabelledCode = { bytes: EMPTY_BYTES, label: "" };

interface Proven {
  readonly account: RemoteAccount | undefined;
  readonly values: readonly Bytes[];
  readonly nodes: readonly ProofNode[];
}

/** Keys by account; many slots of one account are split. */
function questionsOf(accounts: readonly Bytes[], slots: readonly StateKeys[]): readonly Question[] {
  const wanted = new Set(accounts.map(bytesKey));
  const withSlots = new Set(slots.map(({ address }) => bytesKey(address)));
  const bare = accounts.filter((address) => !withSlots.has(bytesKey(address)));
  return [
    ...bare.map((address): Question => ({ address, slots: [], wantsAccount: true })),
    ...slots.flatMap((entry) =>
      Array.from(
        { length: Math.ceil(entry.slots.length / SLOTS_A_PROOF) },
        (_, part): Question => ({
          address: entry.address,
          slots: entry.slots.slice(part * SLOTS_A_PROOF, (part + 1) * SLOTS_A_PROOF),
          wantsAccount: part === 0 && wanted.has(bytesKey(entry.address)),
        }),
      ),
    ),
  ];
}

function readProof(answer: unknown, slotCount: number, label: string): Proof {
  const { balance, nonce, accountProof, storageProof } = readObject(answer);
  const slots = readList(storageProof);
  if (slots.length !== slotCount) throw new TypeError(`expected ${slotCount} proofs of slots, got ${slots.length}`);
  return {
    label,
    balance: readQuantity(balance),
    nonce: readQuantity(nonce),
    accountNodes: readNodes(accountProof),
    slots: slots.map((slot) => {
      const { value, proof } = readObject(slot);
      return { value: readSlotValue(value), nodes: readNodes(proof) };
    }),
  };
}

const readNodes = (proof: unknown): readonly ProofNode[] => hashNodes(readList(proof).map(readData));
