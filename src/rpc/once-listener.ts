/** Listeners of one event only, for all emitters of the library. */

export type Listener = (...values: unknown[]) => void;

/** A listener that removes itself, and the one that it calls. */
interface OnceListener extends Listener {
  listener?: Listener;
}

/** A listener that `remove` takes off before it calls the given one. */
export function onceOnly(listener: Listener, remove: (call: Listener) => void): Listener {
  const call: OnceListener = (...values) => {
    remove(call);
    listener(...values);
  };
  call.listener = listener;
  return call;
}

/** Whether a listener is the given one, or calls it once: both are removed by its name. */
export function standsFor(known: Listener, listener: Listener): boolean {
  return known === listener || (known as OnceListener).listener === listener;
}
