/** Output of `--json`: lines by pino, each with an `event`. */
import { pino } from "pino";
import type { Block } from "../../chainspec/header/block.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { ForkDescription } from "../../services/control/fork.ts";
import type { Output, OutputStream, StartFacts } from "./output.ts";

/**
 * Writes one JSON object per line: `import`, `start`, `request`, `block`, `removed` (a block that left), `transaction`,
 * `console`, `trace`, `notice`. Large numbers are text.
 */
export function createJsonOutput(stdout: OutputStream): Output {
  // Without pino's worker threads, so that no line is lost when the process ends.
  const logger = pino({ base: null }, { write: (line: string) => void stdout.write(line) });
  return {
    imported: (path, blocks, known) => logger.info({ event: "import", path, blocks, known }),
    started: (facts) => logger.info({ event: "start", ...startMembers(facts) }),
    answered(method, error) {
      if (error === undefined) logger.info({ event: "request", method });
      else logger.warn({ event: "request", method, code: error.rpcCode, error: error.rpcMessage });
    },
    noticed: (text) => logger.info({ event: "notice", text }),
    written: () => Promise.resolve(),
    blocks({ removed, added }) {
      for (const { hash, header } of removed) {
        logger.info({ event: "removed", number: String(header.number), hash: encodeData(hash) });
      }
      for (const block of added) logger.info({ event: "block", ...blockMembers(block) });
    },
    printed: ({ text, address, transactionHash }) =>
      logger.info({
        event: "console",
        text,
        address: checksumAddress(address),
        ...(transactionHash === undefined ? {} : { transaction: encodeData(transactionHash) }),
      }),
    mined({ tree, blockNumber: block, gasUsed, stateGasUsed, ...mined }) {
      const gas = gasMembers(gasUsed, stateGasUsed);
      logger.info({ event: "transaction", ...mined, block: String(block), ...gas });
      if (tree === undefined) return;
      const failed = mined.failure !== undefined;
      logger.info({ event: "trace", transaction: mined.hash, block: String(block), failed, ...gas, tree });
    },
    explainedCall: ({ failed, gasUsed, stateGasUsed, tree }) =>
      logger.info({ event: "trace", failed, ...gasMembers(gasUsed, stateGasUsed), tree }),
  };
}

function gasMembers(gasUsed: bigint, stateGasUsed: bigint | undefined): Record<string, string> {
  return {
    gasUsed: String(gasUsed),
    ...(stateGasUsed === undefined ? {} : { stateGasUsed: String(stateGasUsed) }),
  };
}

function blockMembers({ hash, header, transactions }: Block): Record<string, unknown> {
  return {
    number: String(header.number),
    hash: encodeData(hash),
    timestamp: String(header.timestamp),
    gasUsed: String(header.gasUsed),
    transactions: transactions.map((tx) => encodeData(tx.hash)),
  };
}

function startMembers(facts: StartFacts): Record<string, unknown> {
  const { version, accounts, mnemonic, derivationPath, hardfork, engine, dataDir, host, port, ipcPath, explorerUrl } =
    facts;
  return {
    version,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    host,
    port,
    ipcPath,
    explorerUrl,
    accounts: accounts.map(({ address, privateKey, balance }) => ({
      address: checksumAddress(address),
      privateKey: encodeData(privateKey),
      balance: String(balance),
    })),
    ...(accounts.length === 0 ? {} : { mnemonic, derivationPath }),
    chainId: String(facts.chainId),
    fork: facts.fork && forkMembers(facts.fork),
    follows: typeof facts.shared === "string" ? facts.shared : undefined,
    hardfork,
    engine,
    baseFeePerGas: facts.baseFeePerGas === undefined ? undefined : String(facts.baseFeePerGas),
    gasLimit: String(facts.gasLimit),
    genesisTimestamp: String(facts.genesisTimestamp),
    genesisNumber: String(facts.genesisNumber),
    headNumber: String(facts.headNumber),
    dataDir,
  };
}

function forkMembers({ label, chainId, blockNumber, blockHash, scheduleSource }: ForkDescription): object {
  return {
    label,
    chainId: String(chainId),
    blockNumber: String(blockNumber),
    blockHash: encodeData(blockHash),
    scheduleSource,
  };
}
