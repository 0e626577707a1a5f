/** Shows that something long goes on, for how long, and a button that stops it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

interface ProgressProps {
  readonly what: string;
  readonly onStop?: (() => void) | undefined;
}

/** The time and the button come after a second, so that short work does not flicker. */
export function Progress({ what, onStop }: ProgressProps): JSX.Element {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((last) => last + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="empty progress" role="status">
      {what}…{" "}
      {seconds === 0 ? null : (
        <>
          {seconds} s{" "}
          {onStop === undefined ? null : (
            <button type="button" class="small" onClick={onStop}>
              Stop
            </button>
          )}
        </>
      )}
    </p>
  );
}
