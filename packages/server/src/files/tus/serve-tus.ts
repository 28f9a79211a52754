import { fileScopes } from '@gatehouse/contract/files/file-items'
import { maxFileBytes } from '@gatehouse/contract/files/file-uploads'
import { borrowedCallers } from '@gatehouse/contract/route'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../../platform/http/api.ts'
import { expectUpload } from '../../platform/http/connections/slow-requests.ts'
import { asHttpError, envelopeOf } from '../../platform/http/error-handler.ts'
import { NotFound } from '../../platform/http/errors.ts'
import { createTranslator } from '../../platform/i18n/translator.ts'
import type { FileParts } from '../file-parts.ts'
import { type TusRequest, TusStore } from './tus-store.ts'

const path = '/api/v4/fs/tus'

/**
 * Serves resumable uploads with the tus protocol 1.0.0, implemented by a library. Uploads, permissions and
 * limits are shared with the other routes. Every request needs a token of the user who began the upload.
 * Clients that accept JSON, like our own, get errors in the error envelope in their language; others get a
 * line of English.
 */
export async function serveTus(fastify: FastifyInstance, api: Api, parts: FileParts): Promise<void> {
  const store = new TusStore(parts)
  const server = new Server({
    path,
    datastore: store,
    relativeLocation: true,
    maxSize: maxFileBytes,
    // pages of other sites have no access
    allowedOrigins: [],
    // the id is a secret and must be the last path segment
    getFileIdFromRequest: (_request, last) => (last === 'tus' ? undefined : last),
    onResponseError: ({ headers, runtime }, error) => {
      // errors of the library itself are not instances of `Error`; their own text is used
      if (!(error instanceof Error)) return undefined
      const failure = asHttpError(error)
      if (failure.status >= 500) fastify.log.error({ err: error }, 'request failed')
      for (const [name, value] of Object.entries(failure.headers)) runtime?.node?.res?.setHeader(name, value)
      const { key, params } = failure.text
      const body = headers.get('accept')?.includes('application/json')
        ? JSON.stringify(envelopeOf(failure, store.request().t))
        : `${createTranslator('en')(key, params)}\n`
      return { status_code: failure.status, body }
    },
  })
  await fastify.register(async (child) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!parts.config.APP_WITH_FILES) throw new NotFound()
      const facts: TusRequest = await api.admit(request, reply, {
        tag: 'Files',
        scopes: fileScopes,
        hosts: ['user'],
        openTo: borrowedCallers,
      })
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      reply.hijack()
      expectUpload(request.raw)
      await store.as(facts, () => server.handle(request.raw, reply.raw))
    }
    for (const url of [path, `${path}/:id`]) {
      child.route({
        method: ['POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        schema: { hide: true },
        handler,
      })
    }
  })
}
