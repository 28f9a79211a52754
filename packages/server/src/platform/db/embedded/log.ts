/** Where the wrapper reports what it does; the caller decides what becomes of it. */
export type EmbeddedPostgresLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  detail?: object,
) => void
