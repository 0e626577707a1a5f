/** A chain's configuration as the member `config` of geth's genesis.json, which `chainspec/genesis/genesis.ts` reads. */
import type { ChainSpec } from "../../chainspec/chain-spec.ts";
import { FORK_BLOCK_MEMBERS, type ForkSchedule } from "../../chainspec/genesis/genesis.ts";
import { HARDFORKS, type Hardfork } from "../../chainspec/hardforks/hardforks.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { ANYTHING, mapOf, named } from "../openrpc/json-schema.ts";

/** The member `config` of geth's genesis.json. */
export const genesisConfigSchema = named("GenesisConfig", () => mapOf(ANYTHING));

/** Members by geth's names, such as `londonBlock` and `cancunTime`. */
export type GenesisConfigJson = Record<string, unknown>;

/** Members that the chain does not have are left out. */
export function encodeGenesisConfig(spec: ChainSpec): GenesisConfigJson {
  const { schedule } = spec;
  const { blocks, times } = schedule;
  const scheduled = HARDFORKS.filter((name) => blocks[name] !== undefined || times[name] !== undefined);
  const withBlobs = scheduled.filter((name) => spec.blobSchedule(name).max > 0n);
  const config = {
    chainId: encodeInteger(schedule.chainId),
    ...Object.fromEntries(scheduled.flatMap((name) => beginningOf(name, blocks[name], times[name]))),
    eip155Block: encodeInteger(blocks.spuriousDragon),
    daoForkBlock: encodeInteger(schedule.daoForkBlock),
    daoForkSupport: schedule.daoForkSupport ? true : undefined,
    terminalTotalDifficulty: encodeInteger(schedule.terminalTotalDifficulty),
    mergeNetsplitBlock: encodeInteger(schedule.mergeNetsplitBlock ?? mergeBlockOf(schedule)),
    depositContractAddress: schedule.depositContract && encodeData(schedule.depositContract),
    blobSchedule:
      withBlobs.length === 0
        ? undefined
        : Object.fromEntries(withBlobs.map((name) => [name.toLowerCase(), encodeBlobSchedule(spec, name)])),
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

function beginningOf(name: Hardfork, block: bigint | undefined, time: bigint | undefined): [string, unknown][] {
  const member = FORK_BLOCK_MEMBERS[name];
  if (member !== undefined) return [[member, encodeInteger(block)]];
  return time === undefined ? [] : [[`${name}Time`, encodeInteger(time)]];
}

function encodeBlobSchedule(spec: ChainSpec, name: Hardfork): Record<string, unknown> {
  const { target, max, baseFeeUpdateFraction } = spec.blobSchedule(name);
  return { target: Number(target), max: Number(max), baseFeeUpdateFraction: Number(baseFeeUpdateFraction) };
}

/** A JSON number, as geth writes it; above 2^53, where JSON readers round, the same as decimal text. */
function encodeInteger(value: bigint | undefined): number | string | undefined {
  if (value === undefined) return undefined;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}

/** The block of the Merge, where no total difficulty tells it. */
function mergeBlockOf({ terminalTotalDifficulty, mergeBlock }: ForkSchedule): bigint | undefined {
  return terminalTotalDifficulty === undefined ? mergeBlock : undefined;
}
