import type { DetailedError, UploadOptions } from 'tus-js-client'
import { ApiError } from '../../../../platform/api/api-error.ts'
import type { SendOptions } from './transport.ts'

/** Options of the library, besides callbacks. Hooks may throw an `ApiError`. */
type TusOptions = SendOptions &
  Pick<UploadOptions, 'uploadUrl' | 'chunkSize' | 'onBeforeRequest' | 'onAfterResponse' | 'httpStack'>

/**
 * Sends the rest of an upload that was started. Doesn't retry, because the caller knows what to wait for.
 * The library is lazy-loaded with the first upload.
 */
export async function sendByTus(file: Blob, { onSent, signal, ...options }: TusOptions): Promise<void> {
  const { Upload } = await loadLibrary()
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      ...options,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress: onSent,
      onSuccess: () => resolve(),
      onError: (error) => reject('originalRequest' in error ? failureOf(error) : error),
    })
    const stop = () => {
      void upload.abort()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    upload.start()
  })
}

async function loadLibrary() {
  try {
    return await import('tus-js-client')
  } catch (error) {
    // treated like a server error: may load later, but not after a new release
    throw new ApiError(error instanceof Error ? error.message : '', { status: 503 })
  }
}

/** Unwraps the cause of a library error. */
function failureOf({ causingError, originalRequest, originalResponse }: DetailedError): ApiError {
  // a success without an offset isn't from our server, but from an intermediary
  if (!(causingError instanceof ApiError)) return new ApiError('', { status: originalResponse ? 502 : 0 })
  const { status, fromServer } = causingError
  // how the server's library rejects a chunk with a wrong offset; it sends no message
  const isElsewhere = status === 409 && !fromServer && originalRequest.getMethod() === 'PATCH'
  // both are resolved by querying the offset, a call that renews the session
  return isElsewhere || status === 401 ? new ApiError('', { status: 409, uploaded: 0 }) : causingError
}
