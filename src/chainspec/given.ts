/**
 * A block, transaction or receipt as the node of another chain gave it, in JSON. It is shown as it is, so that members
 * that we do not know, and transactions of types that we do not know, are not lost.
 */
export type Given = Readonly<Record<string, unknown>>;
