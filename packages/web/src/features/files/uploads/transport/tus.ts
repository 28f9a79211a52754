import type { DetailedError, UploadOptions } from 'tus-js-client'
import { ApiError } from '../../../../platform/api/api-error.ts'
import type { SendOptions } from './transport.ts'

/** What the library is told, beside who hears of it. A hook may throw an `ApiError`. */
type TusOptions = SendOptions &
  Pick<UploadOptions, 'uploadUrl' | 'chunkSize' | 'onBeforeRequest' | 'onAfterResponse' | 'httpStack'>

/**
 * Sends what the server does not have yet of an upload that has begun. Nothing is tried again here, for the caller knows for
 * what to wait. The library is loaded with the first upload.
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
    // like a server that answers with errors: it may arrive later, but not after a new release
    throw new ApiError(error instanceof Error ? error.message : '', { status: 503 })
  }
}

/** What happened below the library, which wraps it. */
function failureOf({ causingError, originalRequest, originalResponse }: DetailedError): ApiError {
  // a success without an offset is no answer of ours, but of something in between
  if (!(causingError instanceof ApiError)) return new ApiError('', { status: originalResponse ? 502 : 0 })
  const { status, fromServer } = causingError
  // how the library of the server refuses a chunk that doesn't go on from there; it has no sentence for that
  const isElsewhere = status === 409 && !fromServer && originalRequest.getMethod() === 'PATCH'
  // both end with asking how far the upload is, by a call that renews the session
  return isElsewhere || status === 401 ? new ApiError('', { status: 409, uploaded: 0 }) : causingError
}
