/** The DAO fork: the only irregular state change of the protocol (EIP-779). */
import type { Bytes } from "../primitives/bytes/bytes.ts";
import { decodeData } from "../primitives/bytes/hex.ts";
import type { ForkSchedule } from "./genesis/genesis.ts";

/** "dao-hard-fork" */
const DAO_EXTRA_DATA: Bytes = decodeData("0x64616f2d686172642d666f726b");
const DAO_EXTRA_DATA_BLOCKS = 10n;

/** Extra data that a block must have: the fork block and the nine after it, on a chain that supports the fork. */
export function requiredExtraData(schedule: ForkSchedule, number: bigint): Bytes | undefined {
  const { daoForkBlock, daoForkSupport } = schedule;
  if (daoForkBlock === undefined || !daoForkSupport) return undefined;
  const isInRange = number >= daoForkBlock && number < daoForkBlock + DAO_EXTRA_DATA_BLOCKS;
  return isInRange ? DAO_EXTRA_DATA : undefined;
}
