/** Public chains whose blocks do more than Ethereum's rules say, so that a block that is run again here is not the same. */

/** Such a chain, and what its blocks do besides. */
export interface ForeignHistory {
  readonly name: string;
  /** Continues "because". */
  readonly reason: string;
}

const ARBITRUM = "ArbOS charges for data of the chain below and runs transactions of its own";
const GNOSIS = "base fees go to a collector, and contracts of the chain pay rewards and withdrawals";
const BSC = "validators add system transactions that pay fees and rewards";
const POLYGON = "base fees go to a contract, and blocks move state from Ethereum";

const CHAINS: ReadonlyMap<bigint, ForeignHistory> = new Map([
  [42_161n, { name: "Arbitrum One", reason: ARBITRUM }],
  [42_170n, { name: "Arbitrum Nova", reason: ARBITRUM }],
  [421_614n, { name: "Arbitrum Sepolia", reason: ARBITRUM }],
  [100n, { name: "Gnosis", reason: GNOSIS }],
  [10_200n, { name: "Chiado", reason: GNOSIS }],
  [56n, { name: "BNB Smart Chain", reason: BSC }],
  [97n, { name: "BNB Smart Chain testnet", reason: BSC }],
  [137n, { name: "Polygon PoS", reason: POLYGON }],
  [80_002n, { name: "Polygon Amoy", reason: POLYGON }],
]);

/** Special rules of a chain's blocks; undefined for chains whose blocks can be run here. */
export function foreignHistory(chainId: bigint): ForeignHistory | undefined {
  return CHAINS.get(chainId);
}
