/** Tells keys that are typed into a field from others. */

/** True if an event comes from a field. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
