/** Reads a whole chain into a {@link ChainCopy}. */

import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { ownStateId, type StateId } from "../../state/state-id.ts";
import type { ChainCopy, CopiedBlock } from "../chain-copy.ts";
import type { ChainBlocks, ChainStates } from "../readable-chain.ts";

/** On a fork the pinned block belongs to the forked chain. */
function firstNumber({ genesis, history }: ChainBlocks): bigint {
  return history === undefined ? genesis.header.number : history.pin.header.number + 1n;
}

/** Copies the canonical chain with all its states. The cost grows with their size. */
export function copyChain(chain: ChainBlocks & ChainStates): ChainCopy {
  const { archive, head, headStateId } = chain;
  const blocks: CopiedBlock[] = [];
  const states: StateId[] = [headStateId];
  for (let number = firstNumber(chain); number <= head.header.number; number++) {
    const block = chain.getStoredBlock(number);
    if (block === undefined) continue;
    const startStateId = archive.getStartStateId(block.hash);
    blocks.push({
      block,
      receipts: chain.getStoredReceipts(block),
      startStateId,
      traceAddresses: archive.getTraceAddresses(block.hash),
      blockAccessList: archive.getBlockAccessList(block.hash),
    });
    if (number < chain.oldestState) continue;
    states.push(ownStateId(block.header.stateRoot));
    if (startStateId !== undefined) states.push(startStateId);
  }
  const { trieNodes, codes, derivedStates } = chain.states.collect(states);
  return {
    blocks,
    pinnedHash: chain.history?.pin.hash,
    trieNodes: trieNodes.map(({ bytes }) => bytes),
    codes: codes.map(({ bytes }) => bytes),
    derivedStates,
    editedStateId: equalBytes(headStateId, head.header.stateRoot) ? undefined : headStateId,
    importedNumber: archive.importedNumber(),
    oldestState: chain.oldestState,
  };
}
