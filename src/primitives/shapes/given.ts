/** Options of programs in plain JavaScript, where a member may be there and undefined. */

/** The members that have a value: spread over defaults, the others would wipe those out. */
export function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}
