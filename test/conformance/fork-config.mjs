// The `config` of a genesis.json for each network name of the Ethereum Foundation's BlockchainTests.

/** Forks by block number, oldest first; each network activates all up to its own at block 0. */
const BLOCK_FORKS = [
  ["Frontier", []],
  ["Homestead", ["homesteadBlock"]],
  ["EIP150", ["eip150Block"]],
  ["EIP158", ["eip155Block", "eip158Block"]],
  ["Byzantium", ["byzantiumBlock"]],
  ["Constantinople", ["constantinopleBlock"]],
  ["ConstantinopleFix", ["petersburgBlock"]],
  ["Istanbul", ["istanbulBlock"]],
  ["MuirGlacier", ["muirGlacierBlock"]],
  ["Berlin", ["berlinBlock"]],
  ["London", ["londonBlock"]],
  ["ArrowGlacier", ["arrowGlacierBlock"]],
  ["GrayGlacier", ["grayGlacierBlock"]],
];

/** Forks by timestamp; each presupposes the Merge. */
const TIME_FORKS = [
  ["Paris", []],
  ["Shanghai", ["shanghaiTime"]],
  ["Cancun", ["cancunTime"]],
  ["Prague", ["pragueTime"]],
  ["Osaka", ["osakaTime"]],
  ["BPO1", ["bpo1Time"]],
  ["BPO2", ["bpo2Time"]],
  ["BPO3", ["bpo3Time"]],
  ["BPO4", ["bpo4Time"]],
  ["BPO5", ["bpo5Time"]],
  ["Amsterdam", ["amsterdamTime"]],
];

const NEVER = Number.MAX_SAFE_INTEGER;

const SYNONYMS = {
  TangerineWhistle: "EIP150",
  SpuriousDragon: "EIP158",
  Petersburg: "ConstantinopleFix",
  Merge: "Paris",
};

/** Block of the DAO fork in the tests of that transition. */
const DAO_BLOCK = 5;

/**
 * The fork configuration of a network such as `Cancun`, `BerlinToLondonAt5`, `ParisToShanghaiAtTime15k` or
 * `ArrowGlacierToParisAtDiffC0000`.
 */
export function configOf(network) {
  const transition = /^(.+)To(.+?)At(Time|Diff)?([0-9A-Fa-f]+k?)$/.exec(network);
  if (transition === null) return { chainId: 1, ...activeFrom(network, 0) };
  const [, before, after, unit, amount] = transition;
  const start = { chainId: 1, ...activeFrom(before, 0) };
  if (unit === "Diff") return { ...start, terminalTotalDifficulty: `0x${amount}` };
  const point = amount.endsWith("k") ? Number(amount.slice(0, -1)) * 1000 : Number(amount);
  if (after === "Dao") return { ...start, daoForkBlock: DAO_BLOCK, daoForkSupport: true };
  return { ...activeFrom(after, point), ...start };
}

/**
 * The `config` of a case: that of its network, with the blob schedules and the chain id that the case names itself.
 *
 * @param {{ blobSchedule?: object, chainid?: string | number }} given
 */
export function caseConfig(network, { blobSchedule, chainid } = {}) {
  const config = configOf(network);
  if (chainid !== undefined) config.chainId = `0x${BigInt(chainid).toString(16)}`;
  return blobSchedule === undefined ? config : { ...config, blobSchedule: blobScheduleOf(blobSchedule) };
}

/** By hardfork as in genesis.json: `{ "Amsterdam": { "target": "0x0e", … } }` becomes `{ "amsterdam": { "target": 14, … } }`. */
function blobScheduleOf(schedule) {
  const numbers = (entry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, Number(value)]));
  return Object.fromEntries(Object.entries(schedule).map(([name, entry]) => [name.toLowerCase(), numbers(entry)]));
}

/** All forks up to `network`: a fork by number or time begins at `point`. */
function activeFrom(network, point) {
  const name = SYNONYMS[network] ?? network;
  const blockIndex = BLOCK_FORKS.findIndex(([fork]) => fork === name);
  // As in geth, Constantinople alone activates Petersburg too, unless that is set to a later block.
  const putOff = name === "Constantinople" ? { petersburgBlock: NEVER } : {};
  if (blockIndex >= 0) return { ...membersOf(BLOCK_FORKS.slice(0, blockIndex + 1), point), ...putOff };
  const timeIndex = TIME_FORKS.findIndex(([fork]) => fork === name);
  if (timeIndex < 0) throw new Error(`unknown network ${network}`);
  return {
    ...membersOf(BLOCK_FORKS, 0),
    mergeNetsplitBlock: 0,
    terminalTotalDifficulty: 0,
    ...membersOf(TIME_FORKS.slice(0, timeIndex + 1), point),
  };
}

const membersOf = (forks, point) =>
  Object.fromEntries(forks.flatMap(([, members]) => members.map((name) => [name, point])));

const GENESIS_MEMBERS = [
  "nonce",
  "timestamp",
  "extraData",
  "gasLimit",
  "difficulty",
  "mixHash",
  "coinbase",
  "number",
  "gasUsed",
  "parentHash",
  "baseFeePerGas",
  "excessBlobGas",
  "blobGasUsed",
  "parentBeaconBlockRoot",
  "slotNumber",
];

/** geth's genesis.json for a case. */
export function genesisOf({ network, config, pre, genesisBlockHeader: header }) {
  const members = GENESIS_MEMBERS.filter((name) => header[name] !== undefined).map((name) => [name, header[name]]);
  return { config: caseConfig(network, config), ...Object.fromEntries(members), alloc: pre };
}
