/** Lazily computed constants. */

/** A function that computes its result on the first call and returns the same result afterwards. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
