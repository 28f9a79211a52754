import { Agent, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { makeFileOwner } from '../../../testing/files.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp()

interface Heard {
  readonly status: number
  readonly connection: string | undefined
}

/** Begins a request that is sent in parts on a keep-alive connection, like those of browsers and proxies. */
function begin(method: string, path: string, headers: Record<string, string>, agent: Agent) {
  const { port } = app().fastify.server.address() as AddressInfo // it listens on a port
  const sent = openRequest({ host: '127.0.0.1', port, method, path, headers, agent })
  const answer = new Promise<Heard>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      const { statusCode: status = 0, headers: said } = response
      response.once('end', () => resolve({ status, connection: said.connection }))
    })
  })
  return { sent, answer }
}

test('a stopping server reports not ready, finishes open requests, and closes each connection', async () => {
  await app().jobs.start(1)
  const owner = await makeFileOwner(app())
  await app().fastify.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const ask = (path: string) => {
    const { sent, answer } = begin('GET', path, {}, agent)
    sent.end()
    return answer
  }
  expect(await ask('/api/health/readiness')).toEqual({ status: 200, connection: 'keep-alive' })

  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'text/plain' }
  const upload = begin('POST', '/api/v4/fs?name=slow.txt', headers, agent)
  upload.sent.write('the first half ')
  const begun = () => app().database.db.selectFrom('fsUploads').select('id').execute()
  await expect.poll(begun, { timeout: 30_000 }).toHaveLength(1)

  let isDrained = false
  // longer than any test, so that it ends because everything is done
  const drained = app()
    .drain.run(600)
    .then(() => {
      isDrained = true
    })
  expect(await ask('/api/health/readiness')).toEqual({ status: 503, connection: 'close' })
  // requests of a load balancer that hasn't noticed yet are still answered
  expect(await ask('/api/health/liveness')).toEqual({ status: 200, connection: 'close' })
  expect(isDrained).toBe(false)
  upload.sent.end('and the second')
  expect((await upload.answer).status).toBe(200)
  expect(await owner.names()).toEqual(['slow.txt'])
  agent.destroy()
  await drained
}, 60_000)

test('requests that never end are aborted after DRAIN_SECONDS', async () => {
  const { port } = app().fastify.server.address() as AddressInfo // the first test makes it listen
  const agent = new Agent({ keepAlive: true })
  const open = openRequest({ host: '127.0.0.1', port, method: 'POST', path: '/api/auth/login', agent })
  open.on('error', () => undefined)
  open.write('{')
  await expect.poll(connections, { timeout: 30_000 }).toBe(1)
  await app().drain.run(0.2)
  expect(await connections()).toBe(1)
  agent.destroy()
}, 60_000)

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app().fastify.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )
}
