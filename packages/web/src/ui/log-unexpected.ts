const expected = new Set(['ApiError', 'AbortError'])

/** Logs an unexpected error; failed and cancelled calls were already reported to the user. */
export function logUnexpected(failure: unknown): void {
  if (failure instanceof Error && expected.has(failure.name)) return
  console.error(failure)
}
