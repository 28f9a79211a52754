import { expect, test } from 'vitest'
import { addContent } from '../content/plugin.ts'
import { addRoom, type Ground } from '../platform/ground.ts'
import { makeInstallation, testSecret } from '../testing/test-app.ts'
import { openGround } from './ground.ts'
import { loadConfig } from './settings/config.ts'

/** A room that marks its responses and parses bodies in its own way. */
function addMarking({ api, fastify }: Ground<unknown>): void {
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-marked', 'yes')
    done()
  })
  fastify.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
  fastify.post('/marked', () => ({}))
  api.serve('POST /api/auth/password-reset/init', () => ({ status: 'success', code: '' }))
}

test('hooks and parsers of a room apply only to its own routes', async () => {
  await using installation = await makeInstallation()
  const config = loadConfig({
    ...{ NODE_ENV: 'test', LOG_LEVEL: 'silent', SECRET_KEY: testSecret },
    ...{ DATA_DIR: installation.dataDir, DATABASE_URL: installation.url },
  })
  const themes = new URL('../../../../themes', import.meta.url).pathname
  const { ground, look, mailer } = await openGround({
    ...{ config, databaseUrl: installation.url, folders: { themes } },
  })
  const { fastify, database } = ground
  await addRoom(ground, addMarking)
  await addRoom(ground, addContent, look)
  fastify.post('/beside', () => ({}))

  const csv = { 'content-type': 'text/csv', host: 'localhost:8000' }
  const send = (url: string) => fastify.inject({ method: 'POST', url, headers: csv, payload: 'a,b' })
  const marked = await send('/marked')
  expect([marked.statusCode, marked.headers['x-marked']]).toEqual([200, 'yes'])
  const served = await send('/api/auth/password-reset/init')
  expect(served.headers['x-marked']).toBe('yes')

  const other = await send('/api/v4/support/request')
  expect([other.statusCode, other.headers['x-marked']]).toEqual([400, undefined])
  const beside = await send('/beside')
  expect([beside.statusCode, beside.headers['x-marked']]).toEqual([400, undefined])

  await fastify.close()
  await ground.events.close()
  await mailer.close()
  await database[Symbol.asyncDispose]()
})
