/** A form with one action, which says how it went. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { shown } from "../text/shown.ts";

interface ActionFormProps {
  readonly title: string;
  /** Text of the button. */
  readonly label: string;
  /** Called with what was typed. What it returns is shown, and the message of what it throws. */
  readonly run: (fields: FormData) => Promise<ComponentChildren>;
  readonly isDisabled?: boolean;
  readonly children?: ComponentChildren;
}

/** The button is off while the action runs. */
export function ActionForm({ title, label, run, isDisabled = false, children }: ActionFormProps): JSX.Element {
  const [answer, setAnswer] = useState<ComponentChildren>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setAnswer(undefined);
    try {
      setAnswer(await run(fields));
    } catch (error) {
      setAnswer(<span class="bad">{shown((error as Error).message, 1_000)}</span>);
    }
    setBusy(false);
  };
  return (
    <form class="panel control" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      {children}
      <div class="row">
        <button type="submit" class="button" disabled={isDisabled || isBusy}>
          {label}
        </button>
      </div>
      <output aria-live="polite" class="quiet">
        {answer}
      </output>
    </form>
  );
}
