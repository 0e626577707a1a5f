// What a wallet shows before its user signs. Runs in Node and in pages.

/** Topics of Approval(owner, spender, value) and ApprovalForAll(owner, operator, approved). */
const APPROVALS = [
  "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
];

/**
 * Runs a transaction on a fork, and takes it back.
 *
 * @param provider - EIP-1193 provider of a Hindcast node that forks the wallet's chain
 * @param transaction - as a page gives it to `eth_sendTransaction`
 * @returns why it would fail; else what its accounts would gain and lose, who could then spend what, and the storage that
 * would change, by name where the node knows the contract
 */
export async function simulate(provider, transaction) {
  const ask = (method, ...params) => provider.request({ method, params });
  const { failed, reason } = await ask("hindcast_explainCall", transaction, "latest");
  if (failed) return { failure: reason?.text ?? "It fails without a reason." };
  const before = await ask("evm_snapshot");
  try {
    await ask("anvil_impersonateAccount", transaction.from);
    const hash = await ask("eth_sendTransaction", transaction);
    const [{ logs }, { assets, storage }] = await Promise.all([
      ask("eth_getTransactionReceipt", hash),
      ask("hindcast_stateChanges", hash),
    ]);
    return { assets, approvals: logs.flatMap(approvalOf), storage };
  } finally {
    await ask("evm_revert", before);
  }
}

/** Of ERC-20 and ERC-1155; of ERC-721 for all ids, or for one, which is its fourth topic. */
function approvalOf({ address: token, topics: [event, owner, spender, tokenId], data }) {
  if (!APPROVALS.includes(event)) return [];
  const account = (topic) => `0x${topic.slice(26)}`;
  return [{ token, owner: account(owner), spender: account(spender), amount: tokenId ?? data }];
}
