/** Methods of geth and Anvil that mean nothing on this node, each with the way that exists. */

const PROCESS =
  "It is about geth's process. This one is measured by Node's own tools: node --cpu-prof, --heap-prof, --inspect.";
const STORE =
  "It is about geth's database. docs/store.md describes the one of this node, and hindcast check checks it.";
const PEERS = "A development chain has no peers. Blocks of other nodes come by --import, their state by --fork-url.";
const SERVERS =
  "Servers are opened by the flags --port, --host and --ipc, and in a program by node.listen() and node.listenIpc().";

/** By the end of the name, after `debug_` and the like. */
const ABSENT: readonly (readonly [names: RegExp, instead: string])[] = [
  [
    /^debug_standardTraceBlockToFile$/,
    "No method writes files. debug_traceBlockByHash answers the steps of each transaction.",
  ],
  [
    /^debug_standardTraceBadBlockToFile$/,
    "No method writes files. debug_traceBadBlock answers the steps of each transaction.",
  ],
  [/^debug_traceBlockFromFile$/, "No method reads files. debug_traceBlock takes the block's RLP itself."],
  [/^debug_traceChain$/, 'It is a subscription: debug_subscribe with "traceChain", over WebSocket or a socket file.'],
  [/^debug_(?:verbosity|vmodule|backtraceAt)$/, "The log is set when the node starts: --verbosity, --json, --quiet."],
  [/^debug_(?:free|gc|mem|set(?:GC|Memory|Block|Mutex)|stacks|start|stop|write|cpu|block|mutex|go)/, PROCESS],
  [/^debug_(?:chaindb|dbAncient|stateSize|getAccessibleState|(?:get|set)TrieFlush|sync)/, STORE],
  [/^debug_printBlock$/, "debug_getRawBlock answers the block's RLP, eth_getBlockByNumber its members."],
  [/^debug_executionWitnessByHash$/, "debug_executionWitness takes the number of the block."],
  [
    /^admin_(?:export|import)Chain$/,
    "--export and --import write and read chains; in a program node.exportChain() and node.importChain().",
  ],
  [/^admin_(?:start|stop)(?:HTTP|WS|RPC)$/, SERVERS],
  [/^admin_(?:datadir|nodeInfo)$/, "hindcast_nodeInfo and anvil_nodeInfo describe the node."],
  [/^admin_|^les_|^p2p_/, PEERS],
  [/^clique_/, "No blocks are signed: there is no proof of authority."],
  [/^anvil_enableTraces$/, "Nothing has to be switched on: each transaction can be traced at any time."],
  [/^anvil_getBlobByVersionedHash$/, "It is anvil_getBlobByHash."],
  [
    /^anvil_getBlobSidecarsByBlockId$/,
    "GET /eth/v1/beacon/blobs/{block} answers the blobs of a block, while the node keeps them.",
  ],
  [
    /^(?:wallet_sendTransaction|anvil_addCapability|anvil_setExecutor)$/,
    "wallet_sendCalls (EIP-5792) sends calls in one block.",
  ],
];

/** The way in place of a method that this node does not have; undefined for a name that nobody has. */
export function insteadOfMethod(name: string): string | undefined {
  return ABSENT.find(([names]) => names.test(name))?.[1];
}
