// Asks the examples that the entries of methods hold of fresh chains, for the OpenRPC document. Pure but for the nodes that it is
// handed.
//
// What follows is only the order of examples that change their chain, or need it at some point of its history. All others are asked
// when the chain has two blocks; those that write, at its end.

const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const RECIPIENT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const TOKEN_ADDRESS = "0x00000000000000000000000000000000000070ce";
/** Answers balanceOf(owner) and allowance(owner, spender) from the slot that is the hash of its arguments. */
const TOKEN = "0x6040600460003760406000205460005260206000f3";
const transfer = { from: SENDER, to: RECIPIENT, value: "0xde0b6b3a7640000", gas: "0x5208" };

const withUncle = ({ hindcast_mineSideBlock: uncle }) => ({ uncles: [uncle] });

/** Makes the node refuse a block: the one of debug_traceBlock's example, with another state root. */
async function refuseBlock(node, methods) {
  const [block] = methods.find(({ name }) => name === "debug_traceBlock").example.params;
  const digits = block.replace("a047ba62fc", "a000ba62fc").slice(2);
  const bytes = Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));
  await node.importChain(bytes).catch(() => undefined);
}

/**
 * Of each chain, by hardfork: a name is the example of its method, a list another request, with functions of earlier answers, a
 * function is called with the node.
 */
const CHAINS = [
  {
    hardfork: undefined,
    beginning: [
      "eth_gasPrice",
      "eth_maxPriorityFeePerGas",
      "eth_newFilter",
      "eth_sendTransaction",
      "eth_signTransaction",
      "eth_sendRawTransaction",
      "eth_getFilterChanges",
    ],
    end: [
      refuseBlock,
      "debug_traceBadBlock",
      "hindcast_coverageStart",
      "hindcast_coverageReport",
      "hindcast_coverageStop",
      "evm_snapshot",
      "evm_setAutomine",
      "eth_sendUnsignedTransaction",
      ["eth_sendTransaction", transfer],
      "eth_pendingTransactions",
      "txpool_status",
      "txpool_content",
      "txpool_contentFrom",
      "txpool_inspect",
      "eth_resend",
      "anvil_dropTransaction",
      "anvil_dropAllTransactions",
      "anvil_getAutomine",
      "evm_mine",
      "anvil_mine",
      "anvil_mine_detailed",
      "hindcast_mine",
      "miner_start",
      "miner_stop",
      ["evm_setAutomine", true],
      "eth_sendTransactionSync",
      "eth_sendRawTransactionSync",
      "eth_sendRawTransactionConditional",
      "anvil_rollback",
      "anvil_reorg",
      "evm_setBlockGasLimit",
      "anvil_setNextBlockBaseFeePerGas",
      "evm_increaseTime",
      "evm_setTime",
      "evm_setNextBlockTimestamp",
      ["anvil_setCode", TOKEN_ADDRESS, TOKEN],
      "anvil_dealERC20",
      "tenderly_setErc20Balance",
      "anvil_setERC20Allowance",
      "anvil_nodeInfo",
      "anvil_metadata",
      "evm_revert",
    ],
  },
  { hardfork: "berlin", beginning: [["evm_mine"], "hindcast_mineSideBlock", ["hindcast_mine", withUncle]], end: [] },
  { hardfork: "amsterdam", beginning: [["evm_mine"], ["hindcast_mine", {}]], end: [] },
];

/** The answer of `anvil_metadata` has the node's id, which is another one each time. */
const INSTANCE_ID = `0x${"42".repeat(32)}`;

/**
 * Asks the examples of some methods.
 *
 * @param createNode the library's
 * @returns {Promise<Record<string, unknown>>} answers by method
 */
export async function runExamples(createNode, methods) {
  const answers = {};
  /** Values that differ between runs, and those that documents show. */
  const shown = new Map();
  const replaced = (value, pairs) =>
    JSON.parse(pairs.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value)));
  for (const { hardfork, beginning, end } of CHAINS) {
    const node = await createNode({ clock: () => 1_700_000_000, ...(hardfork === undefined ? {} : { hardfork }) });
    const ask = (method, params) => node.provider.request({ method, params });
    const own = methods.filter(
      ({ example, aliasOf }) => aliasOf === undefined && example !== undefined && example.hardfork === hardfork,
    );
    const isPlaced = ({ name }) => beginning.includes(name) || end.includes(name);
    const others = own.filter((method) => !isPlaced(method));
    const named = (writes) => others.filter((method) => (method.writes ?? false) === writes).map(({ name }) => name);
    try {
      for (const step of [...beginning, ...named(false), ...end, ...named(true)]) {
        if (typeof step === "function") {
          await step(node, methods);
          continue;
        }
        if (Array.isArray(step)) {
          const [name, ...params] = step;
          await ask(
            name,
            params.map((each) => (typeof each === "function" ? each(answers) : each)),
          );
          continue;
        }
        const { example } = own.find(({ name }) => name === step);
        const answer = await ask(
          step,
          replaced(
            example.params,
            [...shown].map(([from, to]) => [to, from]),
          ),
        );
        if (example.result !== undefined) shown.set(answer, example.result);
        answers[step] = answer;
      }
    } finally {
      await node.close();
    }
  }
  shown.set(answers.anvil_metadata.instanceId, INSTANCE_ID);
  return replaced(answers, [...shown]);
}

const MODULE_HEAD = `/**
 * Answers of a fresh development chain to the examples in the entries of methods: one line a method. Renewed by \`npm run docs\`; a test
 * asks them.
 */
export const EXAMPLE_ANSWERS: Readonly<Record<string, unknown>> = {
`;

/** The source text of the module that holds the answers. */
export function answersModule(answers) {
  const lines = Object.keys(answers)
    .sort()
    .map((method) => `  ${method}: ${JSON.stringify(answers[method])},\n`);
  return `${MODULE_HEAD}${lines.join("")}};\n`;
}
