/** Finds what a state needs and its source does not have. */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../primitives/hash/hash.ts";
import { decodeAccount } from "../trie/account-codec.ts";
import { decodeNode } from "../trie/node-codec.ts";
import { eachPart } from "../trie/trie-walk.ts";
import type { StateSource } from "../view.ts";

/** A node of a trie, or a code, that is needed and not there, or no such thing. */
export interface MissingPart {
  readonly table: "trieNodes" | "codes";
  readonly hash: Bytes;
}

/** Looks through states one after the other. Parts that were seen before are not looked at again. */
export class MissingParts {
  readonly #source: StateSource;
  readonly #seen = new HashMap<true>();
  #nodes = 0;

  constructor(source: StateSource) {
    this.#source = source;
  }

  /** Nodes that were looked at so far. */
  get nodeCount(): number {
    return this.#nodes;
  }

  /** Lists the missing parts of a state, without those that earlier states lacked, too. */
  of(stateRoot: Bytes): readonly MissingPart[] {
    const missing: MissingPart[] = [];
    const waiting: { readonly hash: Bytes; readonly isStorage: boolean }[] = [];
    const go = (hash: Bytes, isStorage: boolean): void => {
      if (!equalBytes(hash, EMPTY_TRIE_ROOT) && this.#isNew(hash)) waiting.push({ hash, isStorage });
    };
    const visitCode = (hash: Bytes): void => {
      if (equalBytes(hash, EMPTY_CODE_HASH) || !this.#isNew(hash)) return;
      if (this.#source.getCode(hash) === undefined) missing.push({ table: "codes", hash });
    };
    const visitAccount = (value: Bytes): void => {
      const { storageRoot, codeHash } = decodeAccount(value);
      go(storageRoot, true);
      visitCode(codeHash);
    };
    go(stateRoot, false);
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      const { hash, isStorage } = step;
      this.#nodes++;
      try {
        const bytes = this.#source.getTrieNode(hash);
        if (bytes === undefined) missing.push({ table: "trieNodes", hash });
        else
          eachPart(
            decodeNode(bytes),
            (child) => go(child, isStorage),
            (value) => {
              if (!isStorage) visitAccount(value);
            },
          );
      } catch {
        missing.push({ table: "trieNodes", hash });
      }
    }
    return missing;
  }

  #isNew(hash: Bytes): boolean {
    if (this.#seen.get(hash) !== undefined) return false;
    this.#seen.set(hash, true);
    return true;
  }
}
