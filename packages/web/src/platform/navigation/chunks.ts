const timeout = 120_000
/** Time of the last reload for a chunk, in milliseconds since 1970. */
const reloadedKey = 'chunk-reload'

/**
 * Milliseconds in which the page is reloaded at most once. Other chunks that load say nothing about the
 * missing one.
 */
const onceIn = 60_000

/** A chunk that couldn't be loaded, usually because a new version replaced it. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
}

/**
 * Loads a chunk. If it is missing, reloads the page, at most once a minute; if that doesn't help, throws the
 * failure.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  reload = () => window.location.reload(),
): Promise<T> {
  try {
    return await Promise.race([load(), tooLate()])
  } catch (cause) {
    const now = Date.now()
    if (!navigator.onLine || now - Number(sessionStorage.getItem(reloadedKey)) < onceIn) {
      throw new ChunkError('Loading a chunk of the application failed', { cause })
    }
    sessionStorage.setItem(reloadedKey, String(now))
    reload()
    // The page is reloading, so never resolve.
    return new Promise(() => {})
  }
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('timeout')), timeout)
  })
}
