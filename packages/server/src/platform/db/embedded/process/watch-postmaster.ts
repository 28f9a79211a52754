import type { EmbeddedPostgresLog } from '../log.ts'

/** Milliseconds between two looks at the server; one look reads a line of /proc. */
const LOOK_EVERY_MS = 100

/** What it takes to watch a server. */
export interface PostmasterWatch {
  readonly isRunning: () => Promise<boolean>
  /** Starts the server again, or joins the one that another process has started meanwhile. */
  readonly restart: () => Promise<void>
  readonly log: EmbeddedPostgresLog
}

/**
 * Starts PostgreSQL again when it dies while its user lives, as after the kernel ran out of memory. Returns the function
 * that ends the watch: after it, nothing is started any more.
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
