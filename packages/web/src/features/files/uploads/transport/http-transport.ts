import { call } from '../../../../platform/api/api.ts'
import { callUrl, defaultHeaders, readError } from '../../../../platform/api/http.ts'
import { toResponse, upload } from '../../../../platform/api/upload.ts'
import { bearer } from '../../../../platform/session/refresh.ts'
import { readTokens } from '../../../../platform/session/tokens.ts'
import { createFolders } from '../folders.ts'
import type { ContentFacts, SendOptions, UploadTransport } from './transport.ts'
import { sendByTus } from './tus.ts'

/** Uploads through the API; chunked content is sent with tus. */
export function httpTransport(): UploadTransport {
  return {
    folder: ({ parent, path, folders = createFolders() }, signal) => folders.find(parent, path, signal),
    whole: (content, facts, key, options) => sendWhole(content, facts, key, options),
    begin: async (facts, key, signal) => {
      const { size, sha256, mtime } = facts
      const media = 'resumable'
      const options = { signal, headers: { 'Idempotency-Key': key }, ignoreErrors: true }
      const { uploadId, maxChunkSize } = started(
        facts.item
          ? await call('PUT /api/v4/fs/{id}', {
              ...options,
              params: { id: facts.item },
              body: { media, size, sha256, mtime },
            })
          : await call('POST /api/v4/fs', {
              ...options,
              body: { ...creation(facts), media, size, sha256, mtime },
            }),
      )
      return { uploadId, maxChunkSize }
    },
    rest: (uploadId, content, options) =>
      sendByTus(content, {
        ...options,
        uploadUrl: callUrl('/api/v4/fs/tus/{uploadId}', { uploadId }),
        onBeforeRequest: (request) => {
          const headers = { ...defaultHeaders(), ...bearer(readTokens()) }
          for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
        },
        onAfterResponse: async (_, response) => {
          if (response.getStatus() >= 400) throw await readError(toResponse(response.getUnderlyingObject()))
        },
      }),
    progress: async (uploadId, signal) => {
      const answer = await call('GET /api/v4/fs/uploads/{uploadId}', {
        params: { uploadId },
        signal,
        ignoreErrors: true,
      })
      if (answer.isComplete) return { isComplete: true, id: answer.id }
      return { isComplete: false, uploaded: answer.uploaded, maxChunkSize: answer.maxChunkSize }
    },
    discard: async (uploadId) => {
      await call('DELETE /api/v4/fs/uploads/{uploadId}', { params: { uploadId }, ignoreErrors: true })
    },
    checksum: async (id, signal) => {
      const { sha256 } = await call('GET /api/v4/fs/{id}', { params: { id }, signal, ignoreErrors: true })
      return sha256
    },
  }
}

async function sendWhole(
  content: File,
  facts: ContentFacts,
  key: string,
  { onSent, signal }: SendOptions,
): Promise<{ id: string }> {
  const { size, sha256, mtime } = facts
  const common = {
    file: content,
    type: content.type,
    headers: { 'Idempotency-Key': key },
    onProgress: (_: number, bytes: number) => onSent(bytes),
    signal,
  }
  const said = { media: 'content', size, sha256, mtime }
  const answer = facts.item
    ? await upload('PUT /api/v4/fs/{id}', { ...common, params: { id: facts.item }, query: said })
    : await upload('POST /api/v4/fs', { ...common, query: { ...creation(facts), ...said } })
  if (!('id' in answer)) throw new Error('response for a complete file has no id')
  return { id: answer.id }
}

function creation({ name, parent, conflict }: ContentFacts) {
  return { name, parent, conflict }
}

function started(answer: object): { uploadId: string; maxChunkSize: number } {
  if (!('uploadId' in answer && 'maxChunkSize' in answer))
    throw new Error('response is not a resumable upload')
  const { uploadId, maxChunkSize } = answer
  if (typeof uploadId !== 'string' || typeof maxChunkSize !== 'number') throw new Error('invalid response')
  return { uploadId, maxChunkSize }
}
