/** Defaults that Hardhat fills into the requests of each of its networks, before it sends them. */
import { encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { NetworkConfig } from "./network-members.ts";

type Params = readonly unknown[] | object | undefined;
type Call = Readonly<Record<string, unknown>>;

/** Methods whose sender is the first account of the node, unless they name another. */
const WITH_SENDER: ReadonlySet<string> = new Set(["eth_call", "eth_estimateGas", "eth_sendTransaction"]);

/** One for each connection. */
export class RequestDefaults {
  readonly #network: NetworkConfig;
  readonly #accounts: () => Promise<unknown>;

  /** @param accounts - asks the node for its accounts */
  constructor(network: NetworkConfig, accounts: () => Promise<unknown>) {
    this.#network = network;
    this.#accounts = accounts;
  }

  /** The params of a request, with the sender, and the gas and price of the configuration, where it has none. */
  async fill(method: string, params: Params): Promise<Params> {
    if (!WITH_SENDER.has(method) || !Array.isArray(params)) return params;
    const [call, ...rest] = params as readonly unknown[];
    if (typeof call !== "object" || call === null) return params;
    const filled = {
      ...(await this.#sender(call as Call)),
      ...(method === "eth_sendTransaction" && this.#gas(call as Call)),
    };
    return [{ ...filled, ...call }, ...rest];
  }

  async #sender({ from }: Call): Promise<object> {
    if (from !== undefined) return {};
    const sender = this.#network.from ?? ((await this.#accounts()) as readonly string[])[0];
    return sender === undefined ? {} : { from: sender };
  }

  #gas({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Call): object {
    const { gas = "auto", gasPrice: price = "auto" } = this.#network;
    const isPriced = [gasPrice, maxFeePerGas, maxPriorityFeePerGas].some((member) => member !== undefined);
    return {
      ...(gas === "auto" ? {} : { gas: encodeQuantity(gas) }),
      ...(price === "auto" || isPriced ? {} : { gasPrice: encodeQuantity(price) }),
    };
  }
}
