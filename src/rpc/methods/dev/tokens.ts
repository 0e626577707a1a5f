/** anvil_*, hardhat_*, ganache_*, tenderly_*: balances and allowances of ERC-20 tokens. */
import { nothing } from "../../encode/shape.ts";
import { REJECTIONS, STOPPED } from "../../errors.ts";
import { aliasedMethod, inEveryMode, method, required } from "../../method.ts";
import { NULL } from "../../openrpc/json-schema.ts";
import { address, amount } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const dealErc20 = aliasedMethod({
  names: [...inEveryMode("dealERC20"), ...inEveryMode("dealErc20")],
  summary: "Sets an account's balance of an ERC-20 token.",
  writes: true,
  params: [required("owner", address), required("token", address), required("balance", amount)],
  result: NULL,
  errors: ["TOKEN_SLOT_NOT_FOUND", REJECTIONS, STOPPED],
  example: { params: [EXAMPLE.recipient, EXAMPLE.token, "0x64"] },
  run: ({ control }, [owner, token, balance]) => control.tokens.setBalance(token, owner, balance),
  encode: nothing,
});

export const tenderlySetErc20Balance = method({
  name: "tenderly_setErc20Balance",
  summary: "Sets an account's balance of an ERC-20 token; the token is the first parameter (Tenderly).",
  writes: true,
  params: [required("token", address), required("owner", address), required("balance", amount)],
  result: NULL,
  errors: ["TOKEN_SLOT_NOT_FOUND", REJECTIONS, STOPPED],
  example: { params: [EXAMPLE.token, EXAMPLE.recipient, "0x65"] },
  run: ({ control }, [token, owner, balance]) => control.tokens.setBalance(token, owner, balance),
  encode: nothing,
});

export const setErc20Allowance = aliasedMethod({
  names: [...inEveryMode("setERC20Allowance"), ...inEveryMode("setErc20Allowance")],
  summary: "Sets the allowance of a spender for an owner's ERC-20 tokens.",
  writes: true,
  params: [
    required("owner", address),
    required("spender", address),
    required("token", address),
    required("amount", amount),
  ],
  result: NULL,
  errors: ["TOKEN_SLOT_NOT_FOUND", REJECTIONS, STOPPED],
  example: { params: [EXAMPLE.recipient, EXAMPLE.other, EXAMPLE.token, "0x66"] },
  run: ({ control }, [owner, spender, token, value]) => control.tokens.setAllowance(token, owner, spender, value),
  encode: nothing,
});
