/** Reads a whole chain into a {@link ChainCopy}. */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import type { Chain } from "../chain.ts";
import type { ChainCopy, CopiedBlock } from "../chain-copy.ts";

/** On a fork the pinned block belongs to the forked chain. */
function firstNumber({ genesis, history }: Chain): bigint {
  return history === undefined ? genesis.header.number : history.pin.header.number + 1n;
}

/** Copies the canonical chain with all its states. The cost grows with their size. */
export function copyChain(chain: Chain): ChainCopy {
  const { archive, head, headStateRoot } = chain;
  const blocks: CopiedBlock[] = [];
  const roots: Bytes[] = [headStateRoot];
  for (let number = firstNumber(chain); number <= head.header.number; number++) {
    const block = chain.getStoredBlock(number);
    if (block === undefined) continue;
    const startRoot = archive.getStartRoot(block.hash);
    blocks.push({
      block,
      receipts: chain.getStoredReceipts(block),
      startRoot,
      traceAddresses: archive.getTraceAddresses(block.hash),
      blockAccessList: archive.getBlockAccessList(block.hash),
    });
    if (number < chain.oldestState) continue;
    roots.push(block.header.stateRoot);
    if (startRoot !== undefined) roots.push(startRoot);
  }
  const { trieNodes, codes, derivedStates } = chain.states.collect(roots);
  return {
    blocks,
    pinnedHash: chain.history?.pin.hash,
    trieNodes: trieNodes.map(({ bytes }) => bytes),
    codes: codes.map(({ bytes }) => bytes),
    derivedStates,
    editedRoot: equalBytes(headStateRoot, head.header.stateRoot) ? undefined : headStateRoot,
    importedNumber: archive.importedNumber(),
    oldestState: chain.oldestState,
  };
}
