import type { EmbeddedPostgresLog } from '../log.ts'

/** Milliseconds between checks of the server; each reads a line of /proc. */
const LOOK_EVERY_MS = 100

/** Parameters for watching a server. */
export interface PostmasterWatch {
  readonly isRunning: () => Promise<boolean>
  /** Restarts the server, or joins one that another process has restarted. */
  readonly restart: () => Promise<void>
  readonly log: EmbeddedPostgresLog
}

/**
 * Restarts PostgreSQL if it dies while in use, e.g. because the kernel ran out of memory. Returns a function
 * that ends the watch, after which nothing is started any more.
 */
export function watchPostmaster({ isRunning, restart, log }: PostmasterWatch): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let look = Promise.resolve()
  let isEnded = false
  const again = () => {
    if (isEnded) return
    timer = setTimeout(() => {
      look = examine().catch((error: unknown) =>
        log('error', 'PostgreSQL could not be restarted', { error: String(error) }),
      )
      void look.then(again)
    }, LOOK_EVERY_MS)
    timer.unref()
  }
  const examine = async () => {
    if ((await isRunning()) || isEnded) return
    log('warn', 'PostgreSQL died and is being restarted')
    await restart()
  }
  again()
  return async () => {
    isEnded = true
    clearTimeout(timer)
    await look
  }
}
