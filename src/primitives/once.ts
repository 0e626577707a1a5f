/** What takes a while to make and never changes. */

/** The function, which is run when it is first asked; from then on its result is given. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
