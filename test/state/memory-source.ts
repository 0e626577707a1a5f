/** A store in memory: trie nodes and codes by hash, as the chain's store would hold them. */
import { type Bytes, bytesKey } from "../../src/primitives/bytes/bytes.ts";
import type { StateCommit, StateSource } from "../../src/state/view.ts";

export class MemorySource implements StateSource {
  readonly trieNodes = new Map<string, Bytes>();
  readonly codes = new Map<string, Bytes>();
  reads = 0;

  getTrieNode(hash: Bytes): Bytes | undefined {
    this.reads++;
    return this.trieNodes.get(bytesKey(hash));
  }

  getCode(hash: Bytes): Bytes | undefined {
    return this.codes.get(bytesKey(hash));
  }

  /** Stores a commit, as a batch would. */
  write(commit: StateCommit): void {
    for (const { hash, bytes } of commit.trieNodes) this.trieNodes.set(bytesKey(hash), bytes);
    for (const { hash, bytes } of commit.codes) this.codes.set(bytesKey(hash), bytes);
  }
}
