// Rows of eth_call: each result is compared with what the contract has to compute.
import { readFileSync } from "node:fs";
import { encodeAbiParameters, keccak256 } from "viem";
import { call, RESERVE, ROUNDS, SLOTS, SWAPPED } from "./chain.mjs";
import { equal, hex } from "./checks.mjs";

const UINT = [{ type: "uint256" }];
const HASHES = 5_000n;
const WORDS = 10_000n;
const CREATED = 50n;
const word = (value) => encodeAbiParameters(UINT, [value]);
const CONTRACTS = { token: "Token", pair: "Pair", work: "Work", verifier: "Groth16" };
const { a, b, c, inputs } = JSON.parse(
  readFileSync(new URL("../../fixtures/groth16/proof.json", import.meta.url), "utf8"),
);
const PROOF = [a, b, c, inputs].map((words) => words.map(BigInt));

/**
 * A row of eth_call: a contract by its name on the node, a function of it, and the arguments. An argument that is a
 * function is given the node and the round.
 *
 * @param expected - gives the returned DATA, anew for each round if it asks for the round; where it is missing, all nodes
 *   have to return the same
 */
const calling = (label, [target, name, ...args], runs, expected) => ({
  label,
  runs,
  isCall: true,
  request: (node, _prepared, round) => {
    const values = args.map((value) => (typeof value === "function" ? value(node, round) : value));
    const data = call(CONTRACTS[target], name, ...values);
    return ["eth_call", { from: node.from, to: node[target], data, gas: hex(50_000_000) }, "latest"];
  },
  check: (answer, _node, row, round) => {
    if (row.expected === undefined || (expected?.length > 0 && row.round !== round)) {
      row.expected = expected?.(round) ?? answer;
      row.round = round;
    }
    equal(answer, row.expected, label);
    if (answer.length !== 66) throw new Error(`${label}: expected a word, got ${answer.slice(0, 80)}`);
  },
});

/** The result that `Work.rounds` leaves in `warm`. */
function sumOfRounds() {
  let sum = 0n;
  for (let index = 0n; index < ROUNDS; index++) sum = BigInt.asUintN(256, sum * 31n + index);
  return sum;
}

/** No round hashes what another has hashed, so a node cannot look the hashes up. */
const seedOf = (round) => BigInt(round) + 1n;

function lastHash(round) {
  let hash = word(seedOf(round));
  const types = [{ type: "bytes32" }, ...UINT];
  for (let index = 0n; index < HASHES; index++) hash = keccak256(encodeAbiParameters(types, [hash, index]));
  return hash;
}

function amountOut() {
  const withFee = SWAPPED * 997n;
  const outOf = (reserve0, reserve1) => (withFee * reserve1) / (reserve0 * 1000n + withFee);
  // The chain holds one swap of the same size already.
  return outOf(RESERVE + SWAPPED, RESERVE - outOf(RESERVE, RESERVE));
}

export const callRows = [
  {
    label: "round trip (eth_chainId)",
    runs: 200,
    request: () => ["eth_chainId"],
    check: (answer) => equal(answer, hex(31_337), "eth_chainId"),
  },
  calling("small call", ["work", "one"], 200, () => word(1n)),
  calling("token transfer call", ["token", "transfer", ({ other }) => other, 5n], 200, () => word(1n)),
  calling("swap call, constant-product pair", ["pair", "swap", SWAPPED], 100, () => word(amountOut())),
  calling("loop of 1 M gas", ["work", "spin", 1_000_000n], 15),
  calling("loop of 30 M gas", ["work", "spin", 30_000_000n], 3),
  calling(
    "keccak256 x 5,000, other inputs each round",
    ["work", "hashes", (_, round) => seedOf(round), HASHES],
    7,
    lastHash,
  ),
  calling("memory grown to 10,000 words", ["work", "grow", WORDS], 15, () => word((WORDS - 1n) * 32n)),
  calling("1,000 cold SSTORE", ["work", "storeCold", 1_000_000n, 1_000n], 15, () => word(1_001_000n)),
  calling("1,000 cold SLOAD", ["work", "loadCold", 0n, BigInt(SLOTS)], 15, () => word(500_500n)),
  calling("1,000 warm SSTORE", ["work", "storeWarm", 1_000n], 15, () => word(1_000n)),
  calling("1,000 warm SLOAD", ["work", "loadWarm", 1_000n], 15, () =>
    word(BigInt.asUintN(256, sumOfRounds() * 1_000n)),
  ),
  calling("nested calls, 50 deep", ["work", "nest", 50n], 15, () => word(50n)),
  calling("50 creations", ["work", "create", CREATED], 15, () => word(CREATED)),
  calling("Groth16 verification", ["verifier", "verify", ...PROOF], 15, () => word(1n)),
];
