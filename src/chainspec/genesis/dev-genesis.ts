/** The first block of a development chain: its hardforks, funded accounts, the predeployed contracts. */
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../primitives/hash/hash.ts";
import { hasEip } from "../hardforks/eips.ts";
import { HARDFORKS, type Hardfork, isAtLeast } from "../hardforks/hardforks.ts";
import { MINIMUM_DIFFICULTY } from "../header/difficulty.ts";
import { INITIAL_BASE_FEE } from "../header/fees.ts";
import { CREATE2_DEPLOYER, SYSTEM_CONTRACTS } from "../system-contracts.ts";
import type { Genesis, GenesisAccount } from "./genesis.ts";
import { type HardforkStarts, isTimed, lastHardfork, laterHardforks } from "./later-hardforks.ts";

/** An account of the genesis with its balance. */
export interface FundedAddress {
  /** 20 bytes */
  readonly address: Bytes;
  /** wei */
  readonly balance: bigint;
}

/** Settings of a development chain's first block. Balances are in wei. */
export interface DevGenesisOptions {
  /** Of the first block. */
  readonly hardfork: Hardfork;
  readonly hardforkAt?: HardforkStarts;
  readonly chainId: bigint;
  readonly accounts: readonly FundedAddress[];
  /** Default: as the newest hardfork that the chain reaches needs it. */
  readonly gasLimit?: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** wei per gas of the first block; ignored before London */
  readonly baseFeePerGas?: bigint;
  readonly coinbase?: Bytes;
  /** Number of the first block; default zero. */
  readonly number?: bigint | undefined;
  readonly create2Deployer: boolean;
  /** Contracts beside those that the hardfork wants. */
  readonly predeployed?: readonly GenesisAccount[];
}

/** The default chain id, the one of Anvil and Hardhat. */
export const DEV_CHAIN_ID = 31_337n;
const DEV_GAS_LIMIT = 30_000_000n;
/** With EIP-8037, by which gas pays for state too. */
const DEV_GAS_LIMIT_WITH_STATE = 200_000_000n;
/** 10,000 ETH in wei */
export const DEV_BALANCE = 10_000n * 10n ** 18n;

/**
 * A genesis in which every hardfork up to the chosen one is active from block 0, and others where they are said to begin.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for later hardforks that do not follow one another
 */
export function devGenesis(options: DevGenesisOptions): Genesis {
  const last = lastHardfork(options.hardfork, options.hardforkAt ?? {});
  const later = laterHardforks(options.hardfork, options.hardforkAt ?? {}, options.timestamp);
  const isMerged = isAtLeast(options.hardfork, "paris");
  const active = HARDFORKS.filter((name) => isAtLeast(options.hardfork, name));
  return {
    schedule: {
      chainId: options.chainId,
      blocks: {
        ...Object.fromEntries(active.filter((name) => !isTimed(name) && name !== "paris").map((name) => [name, 0n])),
        ...later.blocks,
      },
      times: { ...Object.fromEntries(active.filter(isTimed).map((name) => [name, 0n])), ...later.times },
      mergeBlock: later.mergeBlock,
      terminalTotalDifficulty: isMerged ? 0n : undefined,
      mergeNetsplitBlock: isMerged ? 0n : undefined,
      daoForkBlock: undefined,
      daoForkSupport: false,
      blobSchedules: {},
      depositContract: undefined,
    },
    header: {
      nonce: new Uint8Array(8),
      timestamp: options.timestamp,
      extraData: EMPTY_BYTES,
      gasLimit: options.gasLimit ?? (hasEip(last, 8037) ? DEV_GAS_LIMIT_WITH_STATE : DEV_GAS_LIMIT),
      difficulty: isMerged ? 0n : MINIMUM_DIFFICULTY,
      mixHash: new Uint8Array(32),
      coinbase: options.coinbase ?? ZERO_ADDRESS,
      parentHash: new Uint8Array(32),
      number: options.number ?? 0n,
      gasUsed: 0n,
      baseFeePerGas: hasEip(options.hardfork, 1559) ? (options.baseFeePerGas ?? INITIAL_BASE_FEE) : undefined,
      excessBlobGas: undefined,
      blobGasUsed: undefined,
      parentBeaconBlockRoot: undefined,
    },
    alloc: [...fundedAccounts(options), ...predeploys(last, options)],
  };
}

function fundedAccounts(options: DevGenesisOptions): GenesisAccount[] {
  return options.accounts.map(({ address, balance }) => ({
    address,
    nonce: 0n,
    balance,
    code: EMPTY_BYTES,
    storage: [],
  }));
}

/** @param last - the newest hardfork of the chain: its system contracts are there from the first block on */
function predeploys(last: Hardfork, options: DevGenesisOptions): GenesisAccount[] {
  const contracts = SYSTEM_CONTRACTS.filter((contract) => hasEip(last, contract.eip)).map(
    ({ address, code }): GenesisAccount => ({ address, nonce: 1n, balance: 0n, code, storage: [] }),
  );
  return [...contracts, ...(options.create2Deployer ? [CREATE2_DEPLOYER] : []), ...(options.predeployed ?? [])];
}
