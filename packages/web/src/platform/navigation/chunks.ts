const timeout = 120_000
/** When the page was last loaded anew for a part, in milliseconds since 1970. */
const reloadedKey = 'chunk-reload'

/** Milliseconds in which the page is loaded anew once. Parts that do arrive say nothing about the one that is gone. */
const onceIn = 60_000

/** A part of the application that could not be fetched, most often because a new version replaced it. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
}

/**
 * Fetches a part of the application. If it is gone, the page is loaded anew, once a minute; if that does not help, the
 * failure is thrown.
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
    // The new page takes over; nothing here may go on.
    return new Promise(() => {})
  }
}

function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('timeout')), timeout)
  })
}
