/** A way to an engine: the pipe to a child process, or a WebSocket. */
export interface Channel {
  /** What is sent after the end is lost. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once. */
  onClose(listener: (reason: string) => void): void
  /** Ends the engine's process, or the link to it. */
  close(): void
}
