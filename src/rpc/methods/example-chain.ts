/**
 * Accounts, a contract and transactions of the chain of two blocks on which the examples of methods are asked (`.ci/example-chain.mjs`).
 */
const SENDER = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const RECIPIENT = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const CONTRACT = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

/** Values of examples. */
export const EXAMPLE = {
  /** Sends all transactions. */
  sender: SENDER,
  recipient: RECIPIENT,
  other: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  /** Logs one topic, 42, whatever it is sent. */
  contract: CONTRACT,
  /** Answers `balanceOf` and `allowance` from storage. */
  token: "0x00000000000000000000000000000000000070ce",
  /** The first block, which deploys the contract. */
  blockHash: "0xea44cb15d20b843fa404c7cb0f056bb3cc72ade32f21947ec3037712a8c193df",
  /** The call of the contract in the second block. */
  transactionHash: "0x34346e1372f95ff8e1b5e3a5084da58ced94a1f48eabab359b3cae88551fc5ec",
  /** The same, signed. */
  rawTransaction:
    "0x02f86d827a6901843b9aca008496ec0392830186a0945fbdb2315678afecb367f032d93f642f64180aa38080c080a0424a0da559080686433d5ef280ed5702b91a32a5358a5af5f7f1d46563c43e3ea033b9e1a58eea5f6ff93c7d42cc21df2a3726ef1e76d9fd47cec3b36cc51c9fce",
  /** Ids of filters are random; this one stands for them. */
  filter: "0x8d4b5bd52ba11d9e4a5b2f6a6cd5b0f1",
  word: "0x0000000000000000000000000000000000000000000000000000000000000000",
  call: { from: SENDER, to: CONTRACT },
  transfer: { from: SENDER, to: RECIPIENT, value: "0xde0b6b3a7640000" },
} as const;
