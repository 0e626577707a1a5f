/**
 * Wrong requests, and all that a user is told about each: what is wrong, where, and how to mend it.
 *
 * Whoever changes an error reads its row as somebody would who sees it for the first time.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastError } from "../../src/errors/hindcast-error.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { ALICE, BOB, NOBODY, openNode, type RpcFailure, type ServedNode, serve, wordText } from "../support/a-node.ts";

interface WrongRequest {
  /** Method and parameters. */
  readonly ask: readonly [method: string, ...params: unknown[]];
  readonly code: number;
  /** The whole message, a sentence or two an item. */
  readonly says: readonly string[];
  readonly data?: unknown;
}

const REQUESTS: readonly WrongRequest[] = [
  // a method that is not there
  {
    ask: ["eth_getBalanc", ALICE, "latest"],
    code: -32601,
    says: ["the method eth_getBalanc does not exist/is not available.", "Did you mean eth_getBalance?"],
  },
  {
    ask: ["eth_getblockbynumber", "latest", false],
    code: -32601,
    says: ["the method eth_getblockbynumber does not exist/is not available.", "Did you mean eth_getBlockByNumber?"],
  },
  {
    ask: ["engine_newPayloadV4", {}],
    code: -32601,
    says: [
      "the method engine_newPayloadV4 does not exist/is not available. rpc.discover lists all methods; their names begin with anvil, debug, erigon, eth, evm, ganache, hardhat, hindcast, miner, net, ots, personal, rpc, tenderly, testing, trace, txpool, wallet, web3.",
    ],
  },
  // batches of calls
  {
    ask: ["wallet_sendCalls", { calls: [] }],
    code: -32602,
    says: ["params[0].calls: expected at least one call, got []."],
  },
  {
    ask: ["wallet_sendCalls", { chainId: "0x1", calls: [{ to: BOB }] }],
    code: 5710,
    says: ["Unsupported chain id: 1.", "This node has only chain 31337."],
  },
  {
    ask: ["wallet_sendCalls", { calls: [{ to: BOB }], capabilities: { paymasterService: {} } }],
    code: 5700,
    says: [
      "Unsupported non-optional capability: paymasterService.",
      'Leave it out, or mark it: { "paymasterService": { "optional": true } }.',
    ],
  },
  {
    ask: ["wallet_sendCalls", { calls: Array.from({ length: 101 }, () => ({ to: BOB })) }],
    code: 5740,
    says: ["Bundle too large.", "It has 101 calls; at most 100 are allowed.", "Send fewer calls in a batch."],
    data: { limit: 100, given: 101, flag: null },
  },
  {
    ask: ["wallet_getCallsStatus", "0x12"],
    code: 5730,
    says: ["Unknown bundle id.", "It is 0x12.", "Give an id that wallet_sendCalls answered; the last 1,000 are known."],
  },
  // a parameter that is missing or too many
  {
    ask: ["eth_getBalance"],
    code: -32602,
    says: [
      "params[0]: missing value for required argument 0 (address).",
      "The parameters are: address, block (optional).",
    ],
  },
  {
    ask: ["eth_getBlockByNumber", "latest"],
    code: -32602,
    says: [
      "params[1]: missing value for required argument 1 (fullTransactions).",
      "The parameters are: block, fullTransactions.",
    ],
  },
  {
    ask: ["eth_getBalance", ALICE, "latest", true],
    code: -32602,
    says: ["params: expected at most 2 values, got 3.", "The parameters are: address, block (optional)."],
  },
  // an address or a hash
  {
    ask: ["eth_getBalance", "0xf39fd6e51aad88f6f4ce6ab8827279cfffb922", "latest"],
    code: -32602,
    says: [
      'params[0]: expected an address ("0x" and 40 hex digits, here 38) such as "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", got "0xf39fd6e51aad88f6f4ce6ab8827279cfffb922".',
    ],
  },
  {
    ask: ["eth_getBalance", "vitalik.eth", "latest"],
    code: -32602,
    says: [
      'params[0]: expected an address ("0x" and 40 hex digits) such as "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", got "vitalik.eth".',
    ],
  },
  {
    ask: ["eth_getTransactionByHash", ALICE],
    code: -32602,
    says: [
      'params[0]: expected DATA of 32 bytes ("0x" and 64 hex digits, here 40), got "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266".',
    ],
  },
  {
    ask: ["eth_getBlockByHash", "latest", false],
    code: -32602,
    says: ['params[0]: expected DATA of 32 bytes ("0x" and 64 hex digits), got "latest".'],
  },
  {
    ask: ["eth_getLogs", { topics: ["0x12"] }],
    code: -32602,
    says: ['params[0].topics[0]: expected DATA of 32 bytes ("0x" and 64 hex digits, here 2), got "0x12".'],
  },
  // a block
  {
    ask: ["eth_getBalance", ALICE, 2],
    code: -32602,
    says: [
      'params[1]: expected a block number such as "0x2" or one of "earliest", "latest", "pending", "safe", "finalized", got 2.',
    ],
  },
  {
    ask: ["eth_getBalance", ALICE, "0x02"],
    code: -32602,
    says: [
      'params[1]: expected a block number such as "0x2" or one of "earliest", "latest", "pending", "safe", "finalized", got "0x02".',
    ],
  },
  {
    ask: ["eth_getBalance", ALICE, "lastest"],
    code: -32602,
    says: [
      'params[1]: expected a block number such as "0x10" or one of "earliest", "latest", "pending", "safe", "finalized", got "lastest".',
      'Did you mean "latest"?',
    ],
  },
  {
    ask: ["eth_getBalance", ALICE, "0x99"],
    code: -32000,
    says: ["header not found"],
    data: { hint: "There is no block 0x99. The head is block 2 (0x2)." },
  },
  {
    ask: ["eth_getBalance", ALICE, {}],
    code: -32602,
    says: ["params[1]: expected either blockHash or blockNumber, got {}."],
  },
  {
    ask: ["eth_getLogs", { blockHash: wordText(1) }],
    code: -32000,
    says: ["unknown block"],
    data: { hint: "No block has this hash. The head is block 2 (0x2)." },
  },
  {
    ask: ["debug_traceBlockByNumber", "0x99"],
    code: -32000,
    says: ["block #153 not found.", "The head is block 2 (0x2)."],
  },
  {
    ask: ["trace_replayBlockTransactions", "0x99", ["trace"]],
    code: -32001,
    says: ["block not found: 0x99.", "The head is block 2 (0x2)."],
  },
  // a number or bytes
  {
    ask: ["eth_call", { to: BOB, value: 1 }, "latest"],
    code: -32602,
    says: ['params[0].value: expected a QUANTITY such as "0x1", got 1.'],
  },
  {
    ask: ["eth_call", { to: BOB, value: "1000" }, "latest"],
    code: -32602,
    says: ['params[0].value: expected a QUANTITY such as "0x3e8", got "1000".'],
  },
  {
    ask: ["eth_call", { to: BOB, gasPrice: "1gwei" }, "latest"],
    code: -32602,
    says: ['params[0].gasPrice: expected a QUANTITY such as "0x3b9aca00", got "1gwei".'],
  },
  {
    ask: ["eth_call", { to: BOB, data: "0xabc" }, "latest"],
    code: -32602,
    says: ['params[0].data: expected DATA such as "0x00ff" (two digits a byte, here an odd number), got "0xabc".'],
  },
  {
    ask: ["eth_call", { to: BOB, data: "a9059cbb" }, "latest"],
    code: -32602,
    says: ['params[0].data: expected DATA with "0x" in front, such as "0x00ff", got "a9059cbb".'],
  },
  {
    ask: ["web3_sha3", "hello"],
    code: -32602,
    says: ['params[0]: expected DATA such as "0x68656c6c6f" (two digits a byte), got "hello".'],
  },
  {
    ask: ["eth_getStorageAt", ALICE, 0, "latest"],
    code: -32602,
    says: ['params[1]: expected a storage slot such as "0x0": hex of at most 32 bytes, got 0.'],
  },
  {
    ask: ["hardhat_setBalance", ALICE, "1 ether"],
    code: -32602,
    says: ['params[1]: expected a number such as "0xa", "10" or 10, below 2^256, got "1 ether".'],
  },
  {
    ask: ["eth_call", { to: BOB }, "latest", { [ALICE]: { balance: 100 } }],
    code: -32602,
    says: [
      'params[2].0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266.balance: expected a QUANTITY such as "0x64", got 100.',
    ],
  },
  {
    ask: ["eth_call", { to: BOB }, "latest", { alice: {} }],
    code: -32602,
    says: ['params[2].alice: expected a member name of "0x" and 40 hex digits, got {}.'],
  },
  {
    ask: ["eth_call", { to: BOB }, "latest", { [ALICE]: { state: {}, stateDiff: {} } }],
    code: -32000,
    says: [
      "account 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 has both 'state' and 'stateDiff'. state replaces all slots, stateDiff some: give one.",
    ],
  },
  // a sender
  {
    ask: ["eth_sendTransaction", { from: NOBODY, to: BOB }],
    code: -32000,
    says: [
      "unknown account 0x00000000000000000000000000000000000000ff.",
      "The node has no key for it (personal_listAccounts lists those it has).",
      "To send from it anyway, call anvil_impersonateAccount with the address first; hardhat_impersonateAccount does the same.",
    ],
  },
  {
    ask: ["eth_sign", NOBODY, "0x00"],
    code: -32000,
    says: [
      "unknown account 0x00000000000000000000000000000000000000ff.",
      "The node has no key for it; personal_listAccounts lists the accounts that it has keys of.",
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, nonce: "0x0" }],
    code: -32000,
    says: [
      "nonce too low: next nonce 1, tx nonce 0.",
      'Use the sender\'s next nonce: eth_getTransactionCount with "pending" gives it.',
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, value: "0xffffffffffffffffffffffffff" }],
    code: -32000,
    says: [
      "insufficient funds for transfer.",
      "The sender has 9999999960624999999999, the value is 20282409603651670423947251286015.",
      "Amounts are in wei.",
      "Send less, or give the sender more with anvil_setBalance.",
    ],
  },
  {
    ask: ["eth_call", { from: NOBODY, to: BOB, value: "0x1" }, "latest"],
    code: -32000,
    says: [
      "insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000ff have 0 want 1.",
      "Amounts are in wei.",
      "Send less, or give the sender more with anvil_setBalance.",
    ],
  },
  // a transaction
  {
    ask: ["eth_sendTransaction", { from: ALICE }],
    code: -32000,
    says: [
      "contract creation without any data provided.",
      "Give to for a call or a transfer, or data for the contract to create.",
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, gas: "0x5207" }],
    code: -32000,
    says: [
      "intrinsic gas too low: gas 20999, minimum needed 21000.",
      "Raise gas, or leave it out to have it estimated.",
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, gas: "0x5f5e100" }],
    code: -32000,
    says: [
      "exceeds block gas limit.",
      "The transaction has 100000000 gas, the next block 30000000.",
      "Lower gas, or raise the limit of blocks with evm_setBlockGasLimit.",
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x0" }],
    code: -32000,
    says: [
      "max fee per gas less than block base fee: address 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266, maxFeePerGas: 1, baseFee: 670055860.",
      "Raise maxFeePerGas (or gasPrice) to the base fee at least, or leave the fees out.",
    ],
  },
  {
    ask: [
      "eth_sendTransaction",
      { from: ALICE, to: BOB, maxFeePerGas: "0xffffffff", maxPriorityFeePerGas: "0xfffffffff" },
    ],
    code: -32000,
    says: [
      "maxFeePerGas (4294967295) < maxPriorityFeePerGas (68719476735).",
      "The tip is part of the fee: raise maxFeePerGas, or lower maxPriorityFeePerGas.",
    ],
  },
  {
    ask: ["eth_sendTransaction", { from: ALICE, to: BOB, chainId: "0x1" }],
    code: -32000,
    says: [
      "chainId does not match node's (have=1, want=31337).",
      "Leave chainId out, or send to a node of that chain.",
    ],
  },
  {
    ask: ["eth_sendRawTransaction", "0x"],
    code: -32000,
    says: [
      "Transaction is not in valid format: it has no bytes.",
      "Give the bytes as a wallet signs them: RLP of a legacy transaction, or its type and RLP (EIP-2718).",
    ],
  },
  {
    ask: ["eth_sendRawTransaction", "0x1234"],
    code: -32000,
    says: [
      "transaction type not supported.",
      "Known types: 0x0, 0x1 (from Berlin on), 0x2 (London), 0x3 (Cancun), 0x4 (Prague).",
    ],
  },
  // logs, filters and subscriptions
  {
    ask: ["eth_getLogs", { fromBlock: "0x2", toBlock: "0x1" }],
    code: -32602,
    says: ["invalid block range params. fromBlock is 2, toBlock is 1. fromBlock may not be after toBlock."],
  },
  {
    ask: ["eth_getLogs", { fromBlock: "0x0", toBlock: "0x64" }],
    code: -32602,
    says: [
      "block range extends beyond current head block. fromBlock is 0, toBlock is 100, the head is block 2.",
      'Use "latest" for the head.',
    ],
  },
  {
    ask: ["eth_getFilterChanges", "0x99"],
    code: -32000,
    says: [
      "filter not found.",
      "It expired, was uninstalled or never existed.",
      "Make a new one with eth_newFilter, and poll it regularly.",
    ],
  },
  {
    ask: ["eth_subscribe", "newBlocks"],
    code: -32601,
    says: [
      'no "newBlocks" subscription in eth namespace.',
      "Use one of: newHeads, logs, newPendingTransactions, transactionReceipts, syncing.",
    ],
  },
  // a simulation
  {
    ask: ["eth_simulateV1", { blockStateCalls: [{ blockOverrides: { number: "0x1" } }] }, "latest"],
    code: -38020,
    says: [
      "block numbers must be in order: 1 <= 2.",
      "Each block needs a higher number than the one before it; the first follows the block that the simulation starts from.",
    ],
  },
  {
    ask: ["eth_feeHistory", 1, "latest", [50, 20]],
    code: -32000,
    says: [
      "invalid reward percentile: #0:50.000000 >= #1:20.000000.",
      "Give percentiles from 0 to 100, each greater than the one before it.",
    ],
  },
  // a trace
  {
    ask: ["trace_call", { to: BOB }, ["traces"], "latest"],
    code: -32602,
    says: ["unknown trace type: traces.", "It is params[1][0].", "Did you mean trace?"],
  },
  {
    ask: ["trace_replayBlockTransactions", "latest", ["trace", "vmtrace"]],
    code: -32602,
    says: ["unknown trace type: vmtrace.", "It is params[1][1].", "Did you mean vmTrace?"],
  },
  {
    ask: ["ots_getBlockDetails", "x"],
    code: -32602,
    says: [
      'params[0]: expected a number, or a block number such as "0x10" or one of "earliest", "latest", "pending", "safe", ' +
        '"finalized", got "x".',
    ],
  },
  {
    ask: ["trace_call", { to: BOB }, ["everything"], "latest"],
    code: -32602,
    says: ["unknown trace type: everything.", "It is params[1][0].", "Use some of: trace, vmTrace, stateDiff."],
  },
  {
    ask: ["trace_filter", { fromBlock: "0x2", toBlock: "0x1" }],
    code: -32602,
    says: ["invalid parameters: fromBlock cannot be greater than toBlock. fromBlock is 2, toBlock is 1."],
  },
  {
    ask: ["trace_callMany", [{ to: BOB }], "latest"],
    code: -32602,
    says: [
      'params[0][0]: expected a pair of call object and trace types, got {"to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8"}.',
    ],
  },
  {
    ask: ["debug_traceTransaction", wordText(1)],
    code: -32000,
    says: [
      "transaction not found.",
      "No block has the transaction 0x0000000000000000000000000000000000000000000000000000000000000001.",
      "Only mined transactions can be traced: if it waits in the pool, evm_mine puts it into a block.",
    ],
  },
  {
    ask: ["debug_traceCall", { to: BOB }, "latest", { tracer: "calltracer" }],
    code: -32602,
    says: [
      'params[2].tracer: expected one of callTracer, flatCallTracer, prestateTracer, 4byteTracer, keccak256PreimageTracer, noopTracer, stateGasTracer, muxTracer, or the code of a tracer in JavaScript, got "calltracer".',
      'Did you mean "callTracer"?',
    ],
  },
  {
    ask: ["debug_traceBlockByNumber", "0x0"],
    code: -32000,
    says: [
      "genesis is not traceable.",
      "Its accounts come from the genesis file, not from transactions.",
      "The first block with traces is block 1.",
    ],
  },
  // a change of the chain
  {
    ask: ["evm_setNextBlockTimestamp", 1],
    code: -32602,
    says: ["Timestamp 1 is not after the head's 1700000002.", "Give at least 1700000003."],
  },
  {
    ask: ["anvil_rollback", 99],
    code: -32602,
    says: ["Cannot go back 99 blocks: the head is block 2.", "Give a depth from 0 to 2."],
  },
];

const EXAMPLE = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';
const LIKE_THIS = `A request looks like ${EXAMPLE}.`;

interface WrongBody {
  readonly body: string;
  readonly id: number | null;
  readonly code: number;
  readonly says: string;
}

const BODIES: readonly WrongBody[] = [
  { body: "[]", id: null, code: -32600, says: `The batch is empty. Put requests into it, such as [${EXAMPLE}].` },
  {
    body: '{"id":1,"method":"eth_blockNumber"}',
    id: 1,
    code: -32600,
    says: `The member jsonrpc must be "2.0". ${LIKE_THIS}`,
  },
  {
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":{"address":"0x"}}',
    id: 1,
    code: -32602,
    says:
      'params: expected an array, since parameters go by position, got an object with the members "address". ' +
      'Send only the values, in the order of the method table, such as "params": ["latest", false].',
  },
];

/** Words by which viem 2, ethers 6, Hardhat 2 and 3, Ignition and alloy (Foundry) tell one error from another. */
const WORDS_OF_CLIENTS = [
  /revert/i,
  /insufficient funds|exceeds transaction sender account balance/i,
  /nonce.*too low|too low.*nonce/is,
  /nonce too high/i,
  /nonce has max value/i,
  /already known|already imported|same hash was already imported/i,
  /replacement transaction|transaction underpriced/i,
  /only replay-protected/i,
  /the method .* does not exist/i,
  /max fee per gas (?:less|higher) than|fee cap (?:less|higher) than|tip higher than|transaction is outdated/i,
  /intrinsic gas too (?:low|high)|gas limit reached|gas required exceeds allowance/i,
  /transaction type not valid/i,
  /base fee exceeds gas limit|invalid opcode|out of gas/i,
  /user denied|ethers-user-denied/i,
  /rate limit|rate exceeded|too many requests|credits limited|request limit/i,
];

describe("a wrong request", () => {
  let served: ServedNode;
  beforeAll(async () => {
    const node: HindcastNode = await openNode();
    served = await serve(node);
    await served.plain.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x1" });
    await node.mine();
  });
  afterAll(() => served.node.close());

  const refusal = ([method, ...params]: WrongRequest["ask"]): Promise<RpcFailure & { cause: HindcastError }> =>
    served.node.provider.send(method, params).then(
      (result) => {
        throw new Error(`${method} was answered with ${JSON.stringify(result)}`);
      },
      (error) => error,
    );

  it.each(REQUESTS)("$ask", async ({ ask, code, says, data }) => {
    const { message, ...error } = await refusal(ask);
    expect({ code: error.code, message, data: error.data }).toEqual({ code, message: says.join(" "), data });
  });

  it.each(REQUESTS)("$ask: the help has no words that clients look for", async ({ ask }) => {
    const { message, cause } = await refusal(ask);
    for (const words of WORDS_OF_CLIENTS) expect(words.test(message)).toBe(words.test(cause.what));
  });

  it.each(BODIES)("$body", async ({ body, id, code, says }) => {
    const { text } = await served.plain.post(body);
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id, error: { code, message: says } });
  });

  it("that is not JSON", async () => {
    const { text } = await served.plain.post("{");
    const { error } = JSON.parse(text) as { readonly error: { readonly code: number; readonly message: string } };
    expect(error.code).toBe(-32700);
    // The text of JSON.parse differs between versions of Node.
    expect(error.message).toMatch(/^The request body is not JSON\. .*JSON.* A request looks like \{/);
    expect(error.message.endsWith(LIKE_THIS)).toBe(true);
  });

  it("has sixty examples here", () => {
    expect(REQUESTS.length + BODIES.length + 1).toBeGreaterThanOrEqual(60);
  });
});
