import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BrowserMeeting, browserPath } from '../testing/browser-meeting.ts'
import { useEngines } from '../testing/engines.ts'
import { relayCredentials } from './turn-credentials.ts'

const turnServer = ['/usr/bin/turnserver', '/usr/local/bin/turnserver'].find((path) => existsSync(path))
const secret = 'what-relay-and-portal-share'
const engines = useEngines()
const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A port that is free for TCP and UDP. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Starts Debian's coturn as an operator would, for this machine only. */
async function startRelay(): Promise<number> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-turn-'))
  const child = spawn(
    turnServer ?? '',
    [
      ['-n', '--no-cli', '--no-tls', '--no-dtls', '--use-auth-secret', '--allow-loopback-peers'],
      [`--static-auth-secret=${secret}`, '--realm=example.test', `--listening-port=${port}`],
      // as documented in the operator's manual
      ['--denied-peer-ip=0.0.0.0-255.255.255.255', '--allowed-peer-ip=127.0.0.1'],
      ['--listening-ip=127.0.0.1', '--relay-ip=127.0.0.1', '--log-file=stdout', '--simple-log'],
      [`--pidfile=${folder}/pid`, `--userdb=${folder}/db`],
    ].flat(),
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const exited = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await vi.waitFor(async () => {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
    } catch (error) {
      throw new Error(`the relay does not listen: ${output}`, { cause: error })
    } finally {
      socket.destroy()
    }
  }, 30_000)
  return port
}

describe.skipIf(turnServer === undefined || browserPath === undefined)(
  'a browser that only a relay reaches',
  () => {
    // over TCP, browsers send requests that need fixing
    it.each(['udp', 'tcp'])(
      'meets others over %s',
      async (transport) => {
        const port = await startRelay()
        const urls = [`turn:127.0.0.1:${port}?transport=${transport}`]
        const running = await engines.start({ MEET_TURN_URLS: urls, MEET_TURN_SECRET: secret })
        const meeting = await BrowserMeeting.open(running.rooms)
        ends.push(() => meeting.close())
        const ann = await meeting.join([relayCredentials({ urls, secret }, 'ann', new Date())])
        await ann.run(`devices(['mic', 'cam']).then((tracks) => meet.publish(tracks))`)
        const bob = await meeting.join()
        await bob.run(`devices(['cam']).then((tracks) => meet.publish(tracks))`)
        for (const [viewer, sender] of [
          [bob, ann],
          [ann, bob],
        ] as const) {
          await vi.waitFor(
            async () => {
              const received = await viewer.received()
              const cam = received.find(({ peer, source }) => peer === sender.id && source === 'cam')
              expect(cam?.frames).toBeGreaterThan(10)
            },
            { timeout: 30_000, interval: 100 },
          )
        }
        const protocols =
          await ann.run(`Promise.all(Object.values(meet.connections).map(async (connection) => {
      const stats = await connection.getStats()
      const transport = [...stats.values()].find(({ type }) => type === 'transport')
      const pair = stats.get(transport?.selectedCandidatePairId)
      return stats.get(pair?.localCandidateId)?.relayProtocol
    }))`)
        expect(protocols).toEqual([transport, transport])
      },
      90_000,
    )
  },
)
