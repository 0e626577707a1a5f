/**
 * Hardfork schedules of known public chains, from their own specifications, read in November 2026.
 *
 * Hardforks of other chains are listed under the Ethereum hardfork whose instructions they brought. A hardfork is left
 * out, and named in a comment, if it brought only a part of an Ethereum hardfork or if its time could not be found.
 */
import { decodeData } from "../../primitives/bytes/hex.ts";
import { type BlobSchedule, HARDFORKS, type Hardfork, isAtLeast } from "../hardforks/hardforks.ts";
import { MAINNET_DEPOSIT_CONTRACT } from "../system-contracts.ts";
import type { ForkSchedule } from "./genesis.ts";

/** Seconds; 1 November 2026. Later hardforks may be missing. */
export const TABLES_READ_AT = 1_793_491_200n;

/** A known public chain. */
export interface PublicChain {
  readonly name: string;
  readonly schedule: ForkSchedule;
  /** Address of the specification. */
  readonly source: string;
}

type Activations = Readonly<Partial<Record<Hardfork, bigint>>>;

interface Options {
  readonly blocks?: Activations;
  readonly times?: Activations;
  readonly terminalTotalDifficulty?: bigint;
  /** The first block without proof of work or proof of authority. */
  readonly mergeBlock?: bigint;
  /** Default: none, as on chains whose fork identifiers do not count the Merge. */
  readonly mergeNetsplitBlock?: bigint;
  readonly daoForkBlock?: bigint;
  readonly blobSchedules?: Readonly<Partial<Record<Hardfork, BlobSchedule>>>;
  readonly depositContract?: Uint8Array;
}

function scheduleOf(chainId: bigint, options: Options): ForkSchedule {
  return {
    chainId,
    blocks: { chainstart: 0n, ...options.blocks },
    times: options.times ?? {},
    terminalTotalDifficulty: options.terminalTotalDifficulty,
    mergeNetsplitBlock: options.mergeNetsplitBlock,
    mergeBlock: options.mergeBlock,
    daoForkBlock: options.daoForkBlock,
    daoForkSupport: options.daoForkBlock !== undefined,
    blobSchedules: options.blobSchedules ?? {},
    depositContract: options.depositContract,
  };
}

/** All hardforks up to one, active from block 0. */
function fromGenesis(newest: Hardfork): Activations {
  return Object.fromEntries(
    HARDFORKS.filter((name) => name !== "paris" && isAtLeast(newest, name)).map((name) => [name, 0n]),
  );
}

const GETH = "https://github.com/ethereum/go-ethereum/blob/master/params/config.go";
const SUPERCHAIN = "https://github.com/ethereum-optimism/superchain-registry/tree/main/superchain/configs/mainnet";
/** Gnosis' blob limits from Cancun on. */
const GNOSIS_BLOBS: BlobSchedule = { target: 1n, max: 2n, baseFeeUpdateFraction: 1_112_826n };
/** BSC retained Cancun's blob limits. */
const BSC_BLOBS: BlobSchedule = { target: 3n, max: 6n, baseFeeUpdateFraction: 3_338_477n };
/** Canyon, Ecotone and Isthmus, which all chains of the Superchain activated at the same times. */
const OP_TIMES = { shanghai: 1_704_992_401n, cancun: 1_710_374_401n, prague: 1_746_806_401n };

const CHAINS: readonly PublicChain[] = [
  {
    name: "Ethereum",
    source: GETH,
    schedule: scheduleOf(1n, {
      blocks: {
        homestead: 1_150_000n,
        tangerineWhistle: 2_463_000n,
        spuriousDragon: 2_675_000n,
        byzantium: 4_370_000n,
        constantinople: 7_280_000n,
        petersburg: 7_280_000n,
        istanbul: 9_069_000n,
        muirGlacier: 9_200_000n,
        berlin: 12_244_000n,
        london: 12_965_000n,
        arrowGlacier: 13_773_000n,
        grayGlacier: 15_050_000n,
      },
      times: {
        shanghai: 1_681_338_455n,
        cancun: 1_710_338_135n,
        prague: 1_746_612_311n,
        osaka: 1_764_798_551n,
        bpo1: 1_765_978_199n,
        bpo2: 1_767_747_671n,
      },
      terminalTotalDifficulty: 58_750_000_000_000_000_000_000n,
      mergeBlock: 15_537_394n,
      daoForkBlock: 1_920_000n,
      depositContract: MAINNET_DEPOSIT_CONTRACT,
    }),
  },
  {
    name: "Sepolia",
    source: GETH,
    schedule: scheduleOf(11_155_111n, {
      blocks: fromGenesis("london"),
      times: {
        shanghai: 1_677_557_088n,
        cancun: 1_706_655_072n,
        prague: 1_741_159_776n,
        osaka: 1_760_427_360n,
        bpo1: 1_761_017_184n,
        bpo2: 1_761_607_008n,
        // https://github.com/ethereum/pm/issues/2205
        amsterdam: 1_791_294_816n,
      },
      terminalTotalDifficulty: 17_000_000_000_000_000n,
      mergeBlock: 1_450_409n,
      mergeNetsplitBlock: 1_735_371n,
      depositContract: decodeData("0x7f02c3e3c98b133055b8b348b2ac625669ed295d"),
    }),
  },
  {
    name: "Holesky",
    source: GETH,
    schedule: scheduleOf(17_000n, {
      blocks: fromGenesis("london"),
      times: {
        shanghai: 1_696_000_704n,
        cancun: 1_707_305_664n,
        prague: 1_740_434_112n,
        osaka: 1_759_308_480n,
        bpo1: 1_759_800_000n,
        bpo2: 1_760_389_824n,
      },
      terminalTotalDifficulty: 0n,
      mergeBlock: 0n,
      depositContract: decodeData("0x4242424242424242424242424242424242424242"),
    }),
  },
  {
    name: "Hoodi",
    source: GETH,
    schedule: scheduleOf(560_048n, {
      blocks: fromGenesis("london"),
      times: {
        shanghai: 0n,
        cancun: 0n,
        prague: 1_742_999_832n,
        osaka: 1_761_677_592n,
        bpo1: 1_762_365_720n,
        bpo2: 1_762_955_544n,
      },
      terminalTotalDifficulty: 0n,
      mergeBlock: 0n,
      depositContract: MAINNET_DEPOSIT_CONTRACT,
    }),
  },
  {
    name: "Gnosis",
    source:
      "https://github.com/NethermindEth/nethermind/blob/master/src/Nethermind/Nethermind.Specs/GnosisSpecProvider.cs",
    schedule: scheduleOf(100n, {
      blocks: {
        ...fromGenesis("byzantium"),
        constantinople: 1_604_400n,
        petersburg: 2_508_800n,
        istanbul: 7_298_030n,
        berlin: 16_101_500n,
        london: 19_040_000n,
      },
      times: { shanghai: 0x64c8edbcn, cancun: 0x65ef4dbcn, prague: 0x68122dbcn, osaka: 0x69de2dbcn },
      mergeBlock: 25_349_537n,
      blobSchedules: { cancun: GNOSIS_BLOBS, prague: GNOSIS_BLOBS, osaka: GNOSIS_BLOBS },
    }),
  },
  {
    name: "OP Mainnet",
    source: SUPERCHAIN,
    // Karst brought the instructions of Osaka.
    schedule: scheduleOf(10n, {
      blocks: { ...fromGenesis("istanbul"), berlin: 3_950_000n, london: 105_235_063n },
      times: { ...OP_TIMES, osaka: 1_783_526_401n },
      mergeBlock: 105_235_063n,
      mergeNetsplitBlock: 105_235_063n,
    }),
  },
  {
    name: "Base",
    source: "https://github.com/base/base/tree/main/crates/consensus/registry",
    // Azul brought the instructions of Osaka.
    schedule: scheduleOf(8453n, {
      blocks: fromGenesis("london"),
      times: { ...OP_TIMES, osaka: 1_779_991_200n },
      mergeBlock: 0n,
    }),
  },
  {
    name: "Arbitrum One",
    source: "https://github.com/alloy-rs/hardforks/blob/main/crates/hardforks/src/arbitrum/mainnet.rs",
    // ArbOS 11, 20 and 40. ArbOS 51 (8 January 2026) brought instructions of Osaka; its exact time was not found.
    schedule: scheduleOf(42_161n, {
      blocks: fromGenesis("london"),
      times: { shanghai: 1_708_804_873n, cancun: 1_710_424_089n, prague: 1_750_176_000n },
      mergeBlock: 0n,
    }),
  },
  {
    name: "Polygon PoS",
    source: "https://github.com/0xPolygon/bor/blob/develop/params/config.go",
    // Madhugiri (80,084,800) and Lisovo (83,756,500) brought parts of Osaka.
    schedule: scheduleOf(137n, {
      blocks: {
        ...fromGenesis("petersburg"),
        istanbul: 3_395_000n,
        muirGlacier: 3_395_000n,
        berlin: 14_750_000n,
        london: 23_850_000n,
        shanghai: 50_523_000n,
        cancun: 54_876_000n,
        prague: 73_440_256n,
      },
    }),
  },
  {
    name: "BNB Smart Chain",
    source: "https://github.com/bnb-chain/bsc/blob/master/params/config.go",
    // Osaka and Mendel were activated in 2026; their exact times were not found.
    schedule: scheduleOf(56n, {
      blocks: { ...fromGenesis("muirGlacier"), berlin: 31_302_048n, london: 31_302_048n },
      times: { shanghai: 1_705_996_800n, cancun: 1_718_863_500n, prague: 1_742_436_600n },
      blobSchedules: { cancun: BSC_BLOBS, prague: BSC_BLOBS },
    }),
  },
];

const BY_ID: ReadonlyMap<bigint, PublicChain> = new Map(CHAINS.map((chain) => [chain.schedule.chainId, chain]));

/** The public chain with an id; undefined for an unknown id. */
export function publicChain(chainId: bigint): PublicChain | undefined {
  return BY_ID.get(chainId);
}
