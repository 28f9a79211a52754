import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { within30s } from '../testing/test-support.ts'
import { commandLine, identifyProcess, isAlive, ownIdentity, parseIdentity } from './process-identity.ts'

const NO_PROC = '/there/is/no/proc'

test.each([
  ['with /proc', undefined],
  ['by ps, where /proc is absent', NO_PROC],
])('a process is recognised until it ends (%s)', async (_, proc) => {
  const child = spawn('sleep', ['600'])
  await once(child, 'spawn')
  const identity = await identifyProcess(child.pid ?? 0, proc)
  if (identity === null) throw new Error('not found')
  expect(identity.pid).toBe(child.pid)
  expect(identity.started).not.toBe('')
  expect(await isAlive(identity, proc)).toBe(true)
  expect(await isAlive({ ...identity, started: 'another time' }, proc)).toBe(false)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(await isAlive(identity, proc)).toBe(false)
})

test('the command line is read from /proc and from ps', async () => {
  const child = spawn('sleep', ['600'])
  await once(child, 'spawn')
  try {
    await within30s(async () => (await commandLine(child.pid ?? 0))?.[0] === 'sleep')
    expect(await commandLine(child.pid ?? 0)).toEqual(['sleep', '600'])
    expect(await commandLine(child.pid ?? 0, NO_PROC)).toEqual(['sleep', '600'])
  } finally {
    child.kill('SIGKILL')
  }
})

test('a zombie counts as ended', async () => {
  // The shell starts a process, prints its id and execs a program that never reaps it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'])
  try {
    const [text] = await once(parent.stdout, 'data')
    const pid = Number(String(text))
    await within30s(async () => (await identifyProcess(pid)) === null)
    expect(process.kill(pid, 0)).toBe(true)
    expect(await identifyProcess(pid, NO_PROC)).toBeNull()
  } finally {
    parent.kill('SIGKILL')
  }
})

test('identities survive a round trip, and other text is rejected', async () => {
  const own = await ownIdentity()
  expect(own.pid).toBe(process.pid)
  expect(parseIdentity(JSON.stringify(own))).toEqual(own)
  for (const text of ['', 'x', 'null', '1', '{}', '{"pid":"1","started":""}', '{"pid":-1,"started":""}'])
    expect(parseIdentity(text)).toBeNull()
})
