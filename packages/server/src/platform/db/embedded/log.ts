/** Receives the wrapper's log messages. */
export type EmbeddedPostgresLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  detail?: object,
) => void
