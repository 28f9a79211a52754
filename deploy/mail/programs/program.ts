/** A program of the suite. It keeps running when the process that started it ends. */
export interface Program {
  readonly name: string
  readonly logs: readonly string[]
  /** Writes its configuration; keeps its data. */
  write(): Promise<void>
  /** Starts it unless it runs, after ending what a crash has left behind. */
  start(): Promise<void>
  /** Stops it, if it runs, and waits until it has ended. */
  stop(): Promise<void>
  isRunning(): Promise<boolean>
  /** Whether it serves requests. */
  answers(): Promise<boolean>
}
