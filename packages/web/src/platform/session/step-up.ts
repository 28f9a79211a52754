import { createStore } from '../../state/store.ts'

/** A pending request to reauthenticate. */
export interface StepUpRequest {
  onProved: () => void
  /** `reason`: the error of the waiting calls. */
  onRefused: (reason: unknown) => void
}

export const stepUpRequest = createStore<StepUpRequest | undefined>(undefined)

let running: Promise<void> | undefined
let provedAt = 0

/**
 * Prompts the user to reauthenticate. Concurrent callers share one prompt; a call sent before the user
 * responded (`begun`, by the `performance` clock) needs no other. Throws if the user cancels.
 */
export async function proveAgain(begun: number): Promise<void> {
  if (!running && provedAt > begun) return
  running ??= ask().finally(() => {
    running = undefined
    stepUpRequest.set(undefined)
  })
  await running
}

async function ask(): Promise<void> {
  await new Promise<void>((onProved, onRefused) => stepUpRequest.set({ onProved, onRefused }))
  provedAt = performance.now()
}
