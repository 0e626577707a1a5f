/** The progress bar of an import: on a terminal only, on the error stream, so that output stays clean. */
import type { ImportOptions } from "../../chain/files/import-chain.ts";
import type { OutputStream } from "./output.ts";

/** What is told as an import goes on. */
export interface ImportProgress {
  readonly update: NonNullable<ImportOptions["onProgress"]>;
  stop(): void;
}

/** A bar on `stream`, or something silent where that is no terminal or nothing is to be shown. */
export async function createImportProgress(stream: OutputStream, isShown: boolean): Promise<ImportProgress> {
  if (!isShown || !stream.isTTY) return { update: () => undefined, stop: () => undefined };
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar({
    // A terminal is always a whole stream.
    stream: stream as NodeJS.WriteStream,
    format: "Importing {bar} {percentage}% | {blocks} blocks | {eta_formatted} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
  });
  bar.start(1, 0, { blocks: 0 });
  return {
    update({ blocks, bytes, totalBytes }) {
      bar.setTotal(totalBytes);
      bar.update(bytes, { blocks });
    },
    stop: () => bar.stop(),
  };
}
