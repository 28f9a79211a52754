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
 * Resumable uploads by the tus protocol 1.0.0, which its library speaks; uploads, rights and limits are those of the other
 * calls. Every request needs a token of who began the upload. A client that accepts JSON, as our own does, reads refusals as
 * the error envelope in its language; others get a line of English.
 */
export async function serveTus(fastify: FastifyInstance, api: Api, parts: FileParts): Promise<void> {
  const store = new TusStore(parts)
  const server = new Server({
    path,
    datastore: store,
    relativeLocation: true,
    maxSize: maxFileBytes,
    // pages of other sites have no business here
    allowedOrigins: [],
    // a secret is no number of a file: nothing else can stand in the path
    getFileIdFromRequest: (_request, last) => (last === 'tus' ? undefined : last),
    onResponseError: ({ headers, runtime }, error) => {
      // what the library itself refuses is no `Error`; its own text says it
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
      const facts: TusRequest = await api.admit(request, {
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
