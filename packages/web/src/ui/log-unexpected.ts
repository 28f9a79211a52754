const expected = new Set(['ApiError', 'AbortError'])

/** Leaves a trace of a fault of ours; failed and cancelled calls have already been told to the person. */
export function logUnexpected(failure: unknown): void {
  if (failure instanceof Error && expected.has(failure.name)) return
  console.error(failure)
}
