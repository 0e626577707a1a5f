/** A transaction as commands and code that run it again as a call, on the state before its block. */
import type { Transaction } from "../rpc/types.ts";

interface Call {
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
  /** Undefined for the latest. */
  readonly blockNumber: bigint | undefined;
}

function callOf({ from, to, input, value, gas, blockNumber }: Transaction): Call {
  const number = blockNumber === null ? undefined : BigInt(blockNumber);
  const parent = number === undefined || number === 0n ? undefined : number - 1n;
  return { from, to, data: input, value: BigInt(value), gas: BigInt(gas), blockNumber: parent };
}

const quantity = (value: bigint): string => `0x${value.toString(16)}`;
/** A text as one word of a shell. */
const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A command line with eth_call. */
export function curlOf(tx: Transaction, url: string): string {
  const { from, to, data, value, gas, blockNumber } = callOf(tx);
  const call = { from, ...(to === null ? {} : { to }), data, value: quantity(value), gas: quantity(gas) };
  const params = [call, blockNumber === undefined ? "latest" : quantity(blockNumber)];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params });
  return `curl -s ${quoted(url)} -H 'content-type: application/json' -d ${quoted(body)}`;
}

/** A command line of Foundry's cast. */
export function castOf(tx: Transaction, url: string): string {
  const { from, to, data, value, gas, blockNumber } = callOf(tx);
  const words = [
    ...["cast", "call", "--rpc-url", url, "--from", from],
    ...(value === 0n ? [] : ["--value", String(value)]),
    ...["--gas-limit", String(gas)],
    ...(blockNumber === undefined ? [] : ["--block", String(blockNumber)]),
    ...(to === null ? ["--create", data] : data === "0x" ? [to] : [to, "--data", data]),
  ];
  return words.map(quoted).join(" ");
}

/** A module for viem, in JavaScript and TypeScript, that prints what the call returns. */
export function viemOf(tx: Transaction, url: string): string {
  const { from, to, data, value, gas, blockNumber } = callOf(tx);
  const lines = [
    `  account: ${JSON.stringify(from)},`,
    ...(to === null ? [] : [`  to: ${JSON.stringify(to)},`]),
    `  data: ${JSON.stringify(data)},`,
    `  value: ${value}n,`,
    `  gas: ${gas}n,`,
    ...(blockNumber === undefined ? [] : [`  blockNumber: ${blockNumber}n,`]),
  ];
  return `import { createPublicClient, http } from "viem";

const client = createPublicClient({ transport: http(${JSON.stringify(url)}) });
const { data } = await client.call({
${lines.join("\n")}
});
console.log(data);
`;
}
