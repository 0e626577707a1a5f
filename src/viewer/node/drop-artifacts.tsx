/** Takes ABIs and artifacts that are dropped anywhere on the page, or chosen with a button. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isReadOnly } from "../components/read-only.tsx";
import { addArtifacts } from "./add-artifacts.ts";
import { droppedFiles } from "./dropped-files.ts";

interface DropProps {
  /** The account whose page is open. */
  readonly address: string | undefined;
}

/** Listens on the whole page, and says what became of each file. On a read-only explorer it says why nothing does. */
export function DropArtifacts({ address }: DropProps): JSX.Element | null {
  const [isOver, setOver] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      const { items } = event.dataTransfer ?? {};
      if (items === undefined || ![...items].some(({ kind }) => kind === "file")) return;
      // Without this, the browser would leave the page and open the file.
      event.preventDefault();
      setOver(false);
      if (isReadOnly) setLines(["This node's explorer is read-only: no artifact is added."]);
      else
        void droppedFiles(items).then(
          async (files) => setLines(await addArtifacts(files, address)),
          ({ message }: Error) => setLines([message]),
        );
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    };
  }, [address]);
  if (!isOver && lines.length === 0) return null;
  return (
    <section class="drop-note" role="status">
      {isOver ? (
        <p>Drop ABIs, artifacts of Hardhat or Foundry, builds, or folders of them.</p>
      ) : (
        <>
          {lines.map((line, index) => (
            <p key={index}>{line}</p>
          ))}
          <button type="button" class="small" onClick={() => setLines([])}>
            Close
          </button>
        </>
      )}
    </section>
  );
}

/** A field for files, for readers who do not drag. */
export function ChooseArtifacts({ address }: DropProps): JSX.Element | null {
  const [lines, setLines] = useState<readonly string[]>([]);
  if (isReadOnly) return null;
  return (
    <div class="row filters">
      <label>
        Add ABIs or artifacts: choose files, or drop them anywhere on the page
        <input
          type="file"
          accept=".json,application/json"
          multiple
          onChange={(event) => void addArtifacts([...(event.currentTarget.files ?? [])], address).then(setLines)}
        />
      </label>
      <output aria-live="polite">
        {lines.map((line, index) => (
          <span key={index} class="output-line">
            {line}
          </span>
        ))}
      </output>
    </div>
  );
}
