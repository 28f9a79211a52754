import { createStore } from '../../state/store.ts'

/** Somebody is asked to prove once more who it is. */
export interface StepUpRequest {
  onProved: () => void
  /** `reason`: what the calls that wait fail with. */
  onRefused: (reason: unknown) => void
}

export const stepUpRequest = createStore<StepUpRequest | undefined>(undefined)

let running: Promise<void> | undefined
let provedAt = 0

/**
 * Has the person prove who it is. All who ask at once wait for one answer; a call that was sent before an answer came
 * (`begun`, by the clock of `performance`) needs no other. Throws when the person does not want to.
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
