// Runs the transaction of a case on the executor: the one place that knows how the library executes.

/**
 * Opens what executes in this process.
 *
 * @param load gives a module of the library by its path
 * @param {string} engineName name of the engine
 * @returns {Promise<{run: (request: object) => Promise<{logs: readonly object[]} | {rejected: string}>,
 *   close: () => Promise<void>}>} `run` takes `{spec, rules, state, block, tx}`: the chain and the rules of the hardfork, a
 *   working state at the block's beginning, the block's context and the fields of the transaction. Afterwards the state
 *   has the transaction's effects, or none if it is `rejected`.
 */
export async function openExecutor(load, engineName) {
  const { TransactionRejectedError } = await load("errors/hindcast-error");
  const { Executor } = await load("executor/executor");
  const { runAlone } = await load("executor/run-transaction");
  const { BLOCK_CHECKS } = await load("executor/transaction-checks");
  const { openEngine } = await load("node/engines");
  const engine = await openEngine(engineName);
  return {
    run: async ({ spec, rules, state, block, tx }) => {
      const executor = new Executor(spec, engine);
      try {
        const { logs } = await runAlone({ executor, rules, state, target: state, block, tx, checks: BLOCK_CHECKS });
        return { logs };
      } catch (error) {
        if (error instanceof TransactionRejectedError) return { rejected: error.message };
        throw error;
      }
    },
    close: () => engine.close(),
  };
}
