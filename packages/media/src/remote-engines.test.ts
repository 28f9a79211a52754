import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { MediaEngines } from './media-engines.ts'
import { RemoteEngines } from './remote-engines.ts'
import { useEngines } from './testing/engines.ts'
import { SyntheticPublisher, SyntheticReceiver } from './testing/synthetic-endpoint.ts'

const token = 'a-secret-of-more-than-32-characters'
const engines = useEngines()
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A portal without its own engines that accepts those of other hosts. */
async function portal(): Promise<{ readonly running: MediaEngines; readonly url: string }> {
  const running = await engines.start({ MEET_ENGINES: 0, MEET_ENGINE_TOKEN: token })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => running.remote?.handleUpgrade(request, socket, head))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo // it listens on a port
  return { running, url: `ws://127.0.0.1:${port}/api/meet/engines` }
}

/** Starts an engine host: the process that operators start. */
function startHost(env: Record<string, string>) {
  const host = fork(resolve(import.meta.dirname, '../dist/engine-host.js'), {
    env,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  host.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const exited = once(host, 'exit')
  ends.push(async () => {
    host.kill('SIGTERM')
    await exited
  })
  return { host, exited, output: () => output }
}

const settings = (url: string) => ({
  MEET_PORTAL_URL: url,
  MEET_ENGINE_TOKEN: token,
  MEET_HOST_NAME: 'media-1',
  MEET_UDP_PORT: '0',
  MEET_BIND_ADDRESS: '127.0.0.1',
})

const patience = { timeout: 30_000, interval: 20 }

describe('an engine on another host', () => {
  it('registers and carries rooms like a local one', async () => {
    const { running, url } = await portal()
    startHost({ ...settings(url), MEET_ENGINES: '2' })
    await vi.waitFor(() => expect(running.pool.engines).toHaveLength(2), patience)
    expect(running.pool.engines.map(({ id }) => id).toSorted()).toEqual(['media-1-0', 'media-1-1'])
    await running.rooms.addRoom('room')
    await running.rooms.addPeer('ann', 'room', { may: ['cam'] })
    await running.rooms.addPeer('bob', 'room', { may: [] })
    const ann = new SyntheticPublisher(running.rooms, 'ann')
    const bob = new SyntheticReceiver(running.rooms, 'bob')
    ends.push(
      () => ann.close(),
      () => bob.close(),
    )
    expect(await ann.publish({ video: 'cam' })).toBe('published')
    await bob.join()
    await vi.waitFor(() => {
      ann.sendPicture({ key: true })
      expect(bob.packetsOf('ann', 'cam').length).toBeGreaterThan(3)
    }, patience)
    await vi.waitFor(() => {
      expect(running.pool.engines.map(({ load }) => load.peers).toSorted((a, b) => a - b)).toEqual([0, 2])
    }, patience)
  }, 90_000)

  it('that disconnects loses its rooms to another one, and returns as a new one', async () => {
    const { running, url } = await portal()
    const { host } = startHost(settings(url))
    await vi.waitFor(() => expect(running.pool.engines).toHaveLength(1), patience)
    const [first] = running.pool.engines
    await running.rooms.addRoom('room')
    await running.rooms.addPeer('ann', 'room', { may: ['cam'] })
    const restarted = new Promise((done) => running.rooms.on('toPeer', ({ message }) => done(message)))
    host.kill('SIGKILL')
    await vi.waitFor(() => expect(running.pool.engines).toHaveLength(0), patience)
    startHost(settings(url))
    expect(await restarted).toEqual({ type: 'restart', reason: 'engine' })
    expect(running.pool.engines[0]?.run).not.toBe(first?.run)
    expect(await running.rooms.stats('ann')).toMatchObject({ room: 'room' })
  }, 90_000)

  it('without the secret is rejected', async () => {
    const { running, url } = await portal()
    for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`]) {
      const socket = new WebSocket(url, { headers: { authorization } })
      const [error] = await once(socket, 'error')
      expect(String(error)).toContain('401')
    }
    const { output } = startHost({ ...settings(url), MEET_ENGINE_TOKEN: 'another-secret-of-32-characters-!' })
    await vi.waitFor(() => expect(output()).toContain('401'), patience)
    expect(running.pool.engines).toHaveLength(0)
    expect(output()).not.toContain('another-secret')
  }, 90_000)

  it('that sends invalid messages is disconnected', async () => {
    const { running, url } = await portal()
    for (const text of ['nonsense', '{"ready":7}', '{"event":"load"}']) {
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
      await once(socket, 'open')
      socket.send(text)
      await once(socket, 'close')
    }
    expect(running.pool.engines).toHaveLength(0)
  }, 90_000)

  it('does not start without a portal and a secret', async () => {
    const { exited, output } = startHost({ MEET_PORTAL_URL: 'wss://portal.example.org/api/meet/engines' })
    expect((await exited)[0]).toBe(1)
    expect(output()).toContain('MEET_ENGINE_TOKEN')
    expect(() => new RemoteEngines({ token: '', onEngine: () => {}, warn: () => {} })).toThrow(
      /32 characters/,
    )
  }, 90_000)
})
