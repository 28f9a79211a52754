/** A connection to an engine: the pipe to a child process, or a WebSocket. */
export interface Channel {
  /** Messages sent after the channel closed are dropped. */
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called at most once. */
  onClose(listener: (reason: string) => void): void
  /** Ends the engine's process, or closes the connection to it. */
  close(): void
}
