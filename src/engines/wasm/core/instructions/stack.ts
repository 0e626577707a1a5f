// Yellow paper appendix H.2, 50s: what only moves the stack pointer.

// @ts-ignore: decorator
@inline
export function pop(_sp: usize): void {}
