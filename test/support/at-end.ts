/**
 * Calls a function at the end of a test. Vitest's `onTestFinished` cannot know of which one where several run at once: each
 * of those hands its own on, from its context.
 */
export type AtEnd = (run: () => void | Promise<void>) => void;
