const timeout = 120_000
const reloadedKey = 'chunk-reload'

/** A part of the application that could not be fetched, most often because a new version replaced it. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError'
}

/**
 * Fetches a part of the application. If it is gone, the page is loaded anew, once; if that does not help, the
 * failure is thrown.
 */
export async function loadChunk<T>(
  load: () => Promise<T>,
  reload = () => window.location.reload(),
): Promise<T> {
  try {
    const chunk = await Promise.race([load(), tooLate()])
    sessionStorage.removeItem(reloadedKey)
    return chunk
  } catch (cause) {
    if (!navigator.onLine || sessionStorage.getItem(reloadedKey)) {
      sessionStorage.removeItem(reloadedKey)
      throw new ChunkError('A part of the application could not be loaded', { cause })
    }
    sessionStorage.setItem(reloadedKey, window.location.pathname)
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
