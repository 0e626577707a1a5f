/**
 * JSON of a block, transaction or receipt of a forked chain, as its node sent it. It is shown unchanged, so that
 * unknown members and transactions of unknown types stay.
 */
export type UpstreamJson = Readonly<Record<string, unknown>>;
