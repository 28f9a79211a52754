import pg from 'pg'

/** System errors of unreachable addresses and broken connections. */
const brokenConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** SQLSTATE of a server that is starting, stopping, full or gone (PostgreSQL, appendix A). */
const serverGone = /^(08...|57P0[1235]|53300|3D000)$/

/** Messages of `pg` without a code, for closed connections and pool timeouts. */
const driverTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/**
 * Returns whether an error means that the database is unreachable or the connection was lost. A retry may
 * succeed later.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return serverGone.test(error.code ?? '')
  const code = systemCode(error)
  if (code === undefined) return driverTexts.test(error.message)
  // if the server isn't running, its socket is a missing file
  return (
    brokenConnection.has(code) || (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect')
  )
}

/** Returns whether an error means that a disk or quota is full, here or on the database server. */
export function isOutOfSpace(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '53100'
  const code = error instanceof Error ? systemCode(error) : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}

function systemCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
