import pg from 'pg'

/** What the system says when nothing answers at an address, or a connection ends. */
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

/** What `pg` says, without a code, of a connection that ended or of a pool that gave none in time. */
const driverTexts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether an error says that the database can't be reached or lost the connection. The same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return serverGone.test(error.code ?? '')
  const code = systemCode(error)
  if (code === undefined) return driverTexts.test(error.message)
  // the socket of a server that isn't running is a missing file
  return (
    brokenConnection.has(code) || (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect')
  )
}

/** Whether an error says that a disk or a quota of the system is full, here or where the database is. */
export function isOutOfSpace(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '53100'
  const code = error instanceof Error ? systemCode(error) : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}

function systemCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
