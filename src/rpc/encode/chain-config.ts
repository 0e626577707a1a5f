/** The answer of eth_config as JSON (EIP-7910). */
import type { NamedAddress } from "../../chainspec/hardforks/precompiles.ts";
import { encodeData, encodeQuantity, type Hex } from "../../primitives/bytes/hex.ts";
import type { ChainConfig, ForkConfig } from "../../services/query/config-queries.ts";
import { hexString, INTEGER, mapOf, named, object, orNull } from "../openrpc/json-schema.ts";
import { ADDRESS, QUANTITY } from "../openrpc/primitives.ts";
import type { ChainConfig as ChainConfigJson, ForkConfig as ForkConfigJson } from "../wire-types.generated.ts";

export const forkConfigSchema = named("ForkConfig", () =>
  object({
    activationTime: INTEGER,
    blobSchedule: orNull(object({ target: INTEGER, max: INTEGER, baseFeeUpdateFraction: INTEGER })),
    chainId: QUANTITY,
    forkId: hexString("4 bytes of DATA", "[0-9a-f]{8}"),
    precompiles: mapOf(ADDRESS),
    systemContracts: mapOf(ADDRESS),
  }),
);

export const chainConfigSchema = named("ChainConfig", () =>
  object({
    current: orNull(forkConfigSchema),
    next: orNull(forkConfigSchema),
    last: orNull(forkConfigSchema),
  }),
);

/** Null stands for a hardfork that is not scheduled. */
export function encodeChainConfig({ current, next, last }: ChainConfig): ChainConfigJson {
  return { current: encodeFork(current), next: encodeFork(next), last: encodeFork(last) };
}

function encodeFork(fork: ForkConfig | undefined): ForkConfigJson | null {
  if (fork === undefined) return null;
  const { blobSchedule } = fork;
  return {
    activationTime: Number(fork.activationTime),
    blobSchedule:
      blobSchedule === undefined
        ? null
        : {
            target: Number(blobSchedule.target),
            max: Number(blobSchedule.max),
            baseFeeUpdateFraction: Number(blobSchedule.baseFeeUpdateFraction),
          },
    chainId: encodeQuantity(fork.chainId),
    forkId: encodeData(fork.forkId),
    precompiles: encodeAddresses(fork.precompiles),
    systemContracts: encodeAddresses(fork.systemContracts),
  };
}

/** Names in alphabetical order. */
function encodeAddresses(entries: readonly NamedAddress[]): Record<string, Hex> {
  const sorted = [...entries].sort((left, right) => (left.name < right.name ? -1 : 1));
  return Object.fromEntries(sorted.map(({ name, address }) => [name, encodeData(address)]));
}
