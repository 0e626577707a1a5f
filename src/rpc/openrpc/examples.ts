/** Requests and what a fresh development chain answers to them. Renewed by `npm run docs`; a test runs them. */

export interface Example {
  readonly params: readonly unknown[];
  readonly result: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

export const EXAMPLES: Examples = {};
