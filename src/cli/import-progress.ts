/** The progress bar of an import: on a terminal only, on the error stream, so that output stays clean. */
import cliProgress from "cli-progress";

/** What is told as an import goes on; all in bytes of the file. */
export interface ImportProgress {
  update(bytesDone: number, blockNumber: bigint): void;
  stop(): void;
}

/** A bar over `totalBytes`, or something silent where `stream` is no terminal. */
export function createImportProgress(stream: NodeJS.WriteStream, totalBytes: number): ImportProgress {
  if (!stream.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new cliProgress.SingleBar({
    stream,
    format: "Importing {bar} {percentage}% | block {block} | {eta_formatted} left",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    fps: 10,
  });
  bar.start(totalBytes, 0, { block: "-" });
  return {
    update: (bytesDone, blockNumber) => bar.update(bytesDone, { block: String(blockNumber) }),
    stop: () => bar.stop(),
  };
}
