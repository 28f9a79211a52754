import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Random } from '../../billing/simulation/random.ts'
import type { Failure } from './connections/consultation.ts'
import type { Ending } from './connections/observer.ts'
import { ProtocolViolation } from './connections/protocol-errors.ts'
import type { ProtocolServer } from './connections/protocol-server.ts'
import { createMilterServer } from './milter/milter-server.ts'
import { createPolicyServer } from './policy/policy-server.ts'
import { netstring } from './socketmap/netstring.ts'
import { createSocketmapServer } from './socketmap/socketmap-server.ts'
import { cut, mutate, noise } from './testing/cuts.ts'
import { say, takePacket } from './testing/milter-client.ts'
import { Observations } from './testing/observations.ts'
import { type TakeReply, TestClient } from './testing/test-client.ts'

/** Handlers answer at once, later, wrongly or not at all, by chance. */
const luck = new Random(11)

class Broken extends Error {}

async function byChance<T>(good: T, wrong: T, signal: AbortSignal): Promise<T> {
  const kind = luck.below(10)
  if (kind === 0) throw new Broken('down')
  if (kind === 1) return wrong
  if (kind === 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  if (kind < 6) await new Promise(setImmediate)
  return good
}

const observations = new Observations()
const options = {
  observer: observations,
  limits: { budget: 20, idle: 500, arrival: 300, reading: 300, grace: 1000 },
}
const closes = (_about: unknown, failure: Failure) =>
  ({ verdict: 'tempfail', reply: `451 4.3.0 ${failure}` }) as const

const policyRequest = `request=smtpd_access_policy
protocol_state=RCPT
sender=a@example.test
recipient=b@example.test
client_address=192.0.2.1

`

const milterSession = Buffer.concat([
  say.negotiate(),
  say.macros('C', { j: 'mx' }),
  say.connect(),
  say.helo(),
  say.macros('M', { '{auth_authen}': 'a' }),
  say.mail('a@example.test'),
  say.recipient('b@example.test'),
  say.data(),
  say.header('Subject', ' Hi'),
  say.endOfHeaders(),
  say.body('one\r\n'),
  say.end('two\r\n'),
  say.abort(),
  say.mail('a@example.test'),
  say.recipient('b@example.test'),
  say.end('x'),
  say.quit(),
])

interface Target {
  readonly server: ProtocolServer<unknown>
  endpoint: number | string
  readonly valid: Buffer
  /** Replies that the protocol allows. */
  readonly take: TakeReply<string>
  readonly allowed: RegExp
}

const line: TakeReply<string> = (received) => {
  const end = received.indexOf('\n\n')
  return end === -1 ? undefined : [received.toString('latin1', 0, end), end + 2]
}

const net: TakeReply<string> = (received) => {
  const [head, length] = /^(\d+):/.exec(received.toString('latin1')) ?? []
  if (head === undefined) return undefined
  const end = head.length + Number(length)
  return received.length > end ? [received.toString('latin1', head.length, end), end + 1] : undefined
}

const packetReply: TakeReply<string> = (received) => {
  const taken = takePacket(received)
  return taken === undefined ? undefined : [taken[0].command, taken[1]]
}

const targets: Readonly<Record<string, Target>> = {
  policy: {
    server: createPolicyServer(
      {
        name: 'policy',
        handler: (_request, signal) =>
          byChance({ action: 'dunno' } as const, { action: 'reply', reply: 'wrong' } as const, signal),
        fallback: () => ({ action: 'reply', reply: '451 4.3.5 Later' }),
      },
      options,
    ),
    endpoint: 0,
    valid: Buffer.from(policyRequest.repeat(3)),
    take: line,
    allowed: /^action=(DUNNO|451 4\.3\.5 Later)$/,
  },
  socketmap: {
    server: createSocketmapServer(
      {
        handler: ({ key }, signal) =>
          byChance(
            { status: 'ok', value: `x${key.length}` } as const,
            { status: 'ok', value: '' } as const,
            signal,
          ),
      },
      options,
    ),
    endpoint: 0,
    valid: Buffer.concat(
      ['aliases a@example.test', 'domains example.test', 'x'].map((text) => netstring(text)),
    ),
    take: net,
    allowed: /^(OK x\d+|NOTFOUND |(TEMP|TIMEOUT|PERM) [A-Z][a-z ]+)$/,
  },
  milter: {
    server: createMilterServer(
      {
        name: 'milter',
        actions: ['add-headers', 'replace-body'],
        wantsBody: true,
        fallback: closes,
        limits: { messageBudget: 20 },
        handler: {
          mail: (_envelope, signal) =>
            byChance(
              { verdict: 'continue' } as const,
              { verdict: 'reject', reply: 'wrong' } as const,
              signal,
            ),
          message: ({ body }, signal) =>
            byChance(
              { verdict: 'accept', body } as const,
              { verdict: 'accept', edits: [{ edit: 'add-header', name: ':', value: '' }] } as const,
              signal,
            ),
        },
      },
      options,
    ),
    endpoint: 0,
    valid: milterSession,
    take: packetReply,
    allowed: /^[Oacrtybs]$/,
  },
}

const names = Object.keys(targets)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-hostile-'))
  for (const target of Object.values(targets)) {
    const path = join(folder, 'mux')
    const isUnix = target.endpoint === ''
    const port = await target.server.listen(isUnix ? { path, mode: 0o600 } : { host: '127.0.0.1', port: 0 })
    target.endpoint = isUnix ? path : port
  }
})

afterAll(async () => {
  await Promise.all(Object.values(targets).map(({ server }) => server.close()))
  await rm(folder, { recursive: true, force: true })
})

const targetOf = (name: string): Target => {
  const target = targets[name]
  if (target === undefined) throw new Error(`no target ${name}`)
  return target
}

/** Sends bytes in pieces, ends or resets, and checks every reply. Resolves when the connection is closed. */
async function attack(target: Target, pieces: readonly Buffer[], random: Random): Promise<void> {
  const client = await TestClient.connect(target.endpoint)
  for (const piece of pieces) {
    client.send(piece)
    if (random.chance(0.2)) await new Promise(setImmediate)
  }
  const end = random.below(10)
  if (end === 0) client.reset()
  else if (end < 8) client.end()
  for (;;) {
    const reply = await client.receive(target.take)
    if (reply === undefined) return
    expect(reply).toMatch(target.allowed)
  }
}

async function settle(name: string): Promise<void> {
  const { server } = targetOf(name)
  await vi.waitFor(() => expect([server.connections, server.handlers]).toEqual([0, 0]), {
    timeout: 15_000,
    interval: 10,
  })
  const strange = observations.errors.filter(
    (error) => !(error instanceof ProtocolViolation || error instanceof Broken || isInvalidAnswer(error)),
  )
  expect(strange).toEqual([])
}

const isInvalidAnswer = (error: unknown) => error instanceof Error && error.name === 'InvalidAnswer'

const defined: readonly Ending[] = ['finished', 'truncated', 'violation', 'idle', 'slow-request', 'broken']

describe.each(names)('the %s server', (name) => {
  const waves = async (seed: number, make: (random: Random) => readonly Buffer[]) => {
    const target = targetOf(name)
    const random = new Random(seed)
    observations.endings.length = 0
    for (let wave = 0; wave < 4; wave++) {
      await Promise.all(Array.from({ length: 50 }, () => attack(target, make(random), random)))
    }
    await settle(name)
    expect(observations.endings.length).toBe(200)
    expect(observations.endings.filter((ending) => !defined.includes(ending))).toEqual([])
  }

  test('survives random bytes', async () => {
    await waves(21, (random) => cut(noise(random.below(300), random), random))
  }, 60_000)

  test('survives sessions that break off', async () => {
    const { valid } = targetOf(name)
    await waves(22, (random) => cut(valid.subarray(0, random.below(valid.length + 1)), random))
  }, 60_000)

  test('survives changed sessions', async () => {
    const { valid } = targetOf(name)
    await waves(23, (random) => cut(mutate(valid, random), random))
  }, 60_000)

  test('answers a session that comes byte by byte', async () => {
    const target = targetOf(name)
    const client = await TestClient.connect(target.endpoint)
    for (const byte of target.valid) await client.sendAll(Buffer.from([byte]))
    client.end()
    let replies = 0
    for (;;) {
      const reply = await client.receive(target.take)
      if (reply === undefined) break
      expect(reply).toMatch(target.allowed)
      replies++
    }
    expect(replies).toBeGreaterThan(0)
    await settle(name)
  })
})
