/** Messages between a node and another thread, by a port. Values are structured-cloneable. */
/** What is used of a MessagePort, a Worker, or a worker's own scope. */
export interface MessageEndpoint {
  postMessage(message: unknown, transfer?: never): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Of a MessagePort, which delivers nothing before. */
  start?(): void;
  /** Of a MessagePort. */
  close?(): void;
}

/** To the node: a request, a wish for messages of subscriptions and of console.log, or the end. */
export type ToNode =
  | { readonly id: number; readonly method: string; readonly params?: readonly unknown[] | object | undefined }
  | { readonly listens: boolean }
  | { readonly ends: true };

/** From the node: an answer, or a message as EIP-1193 has it; `disconnect` when the node is closed. */
export type FromNode =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PortError }
  | { readonly event: "message" | "disconnect"; readonly value: unknown };

/** Members of an error that are copied, where it has them. */
const MEMBERS = [
  "name",
  "message",
  "code",
  "data",
  "where",
  "fix",
  "contract",
  "contractName",
  "transaction",
  "transactionHash",
  "customError",
  "solidityStack",
] as const;

/** An error in a form that can be cloned. */
export type PortError = Partial<Record<(typeof MEMBERS)[number], unknown>>;

/** The members of an error that another thread gets. */
export function errorForPort(error: unknown): PortError {
  if (typeof error !== "object" || error === null) return { name: "Error", message: String(error) };
  const members = MEMBERS.map((name) => [name, (error as PortError)[name]] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The error that {@link errorForPort} described, with its members. */
export function errorFromPort({ message, ...members }: PortError): Error {
  return Object.assign(new Error(String(message ?? "")), members);
}
