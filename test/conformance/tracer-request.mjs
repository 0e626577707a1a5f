// A tracer fixture as a request to the library. It runs in browsers as well.

/**
 * Traces the fixture's transaction in the fixture's block context, on top of its genesis state.
 *
 * @param {Function} trace - the library's `traceTransactionOnState`
 * @param {string | undefined} engine - default: the library's
 */
export function traceOnGenesis(trace, engine, { genesis, context, txRlp, tracer, tracerConfig }) {
  return trace({
    genesis: { config: gethTestConfig(genesis.config), alloc: genesis.alloc },
    block: {
      number: BigInt(context.number),
      timestamp: BigInt(context.timestamp),
      coinbase: bytes(context.miner),
      gasLimit: BigInt(context.gasLimit),
      difficulty: BigInt(context.difficulty ?? 0),
      ...(genesis.mixHash === undefined ? {} : { prevRandao: bytes(genesis.mixHash) }),
      ...(context.baseFeePerGas === undefined ? {} : { baseFeePerGas: BigInt(context.baseFeePerGas) }),
      ...(genesis.excessBlobGas === undefined || genesis.blobGasUsed === undefined ? {} : { blobBaseFee: 1n }),
    },
    transaction: bytes(txRlp),
    tracer: { name: tracer, options: optionsOf(tracer, tracerConfig) },
    ...(engine === undefined ? {} : { engine }),
  });
}

/** Options of each tracer. Fixtures also have those of others, which geth and our JSON-RPC ignore; in process they are refused. */
const OPTIONS = {
  callTracer: ["onlyTopCall", "withLog"],
  flatCallTracer: ["convertParityErrors", "includePrecompiles"],
  prestateTracer: ["diffMode", "disableCode", "disableStorage", "includeEmpty"],
};

function optionsOf(tracer, options) {
  const known = OPTIONS[tracer];
  if (known === undefined || options === undefined || options === null) return options ?? undefined;
  return Object.fromEntries(Object.entries(options).filter(([name]) => known.includes(name)));
}

/** geth's tests merge at a terminal total difficulty of 0 or never, and have no fork by time before the Merge. */
function gethTestConfig(config) {
  const members = Object.entries(config).filter(([name]) => !/^(mergeNetsplitBlock|mergeForkBlock)$/i.test(name));
  const difficulty = members.find(([name]) => /^terminalTotalDifficulty$/i.test(name))?.[1];
  const isMerged = difficulty !== undefined && difficulty !== null && BigInt(difficulty) === 0n;
  return Object.fromEntries(members.filter(([name]) => isMerged || !/^terminalTotalDifficulty$|Time$/i.test(name)));
}

const bytes = (hex) => Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
