import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { withFolderLock } from './folder-lock.ts'
import { ownIdentity } from './process/process-identity.ts'
import { namesIn } from './testing/test-support.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const lock = (name: string) => join(folder, 'lock', name)
async function heldBy(number: string, holder: object | string): Promise<void> {
  await mkdir(join(folder, 'lock'), { recursive: true })
  await writeFile(lock(number), typeof holder === 'string' ? holder : JSON.stringify(holder))
}

test('the lock admits one holder at a time, and all of them eventually', async () => {
  let inside = 0
  let most = 0
  let runs = 0
  const enter = () =>
    withFolderLock(folder, async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
      runs += 1
    })
  await Promise.all(Array.from({ length: 12 }, enter))
  expect({ most, runs, inside }).toEqual({ most: 1, runs: 12, inside: 0 })
  expect(await namesIn(join(folder, 'lock'))).toEqual(['12'])
})

test("the lock is released if the action fails, and the action's result is returned", async () => {
  await expect(withFolderLock(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withFolderLock(folder, async () => 7, 1000)).toBe(7)
})

test('an active holder is awaited, then named in the error', async () => {
  await heldBy('3', await ownIdentity())
  await expect(withFolderLock(folder, async () => 7, 100)).rejects.toThrow(`Process ${process.pid}`)
  expect(await namesIn(join(folder, 'lock'))).toEqual(['3'])
})

test.each([
  ['was killed', { pid: 2 ** 22 + 1, started: 'then' }],
  ['was killed and its number given to another', { pid: process.pid, started: 'another time' }],
  ['lost its content in a power cut', ''],
])('a holder that %s is ignored', async (_, holder) => {
  await heldBy('3', holder)
  await heldBy('ticket-left', { pid: 2 ** 22 + 1, started: 'then' })
  expect(await withFolderLock(folder, async () => 7, 1000)).toBe(7)
  expect(await namesIn(join(folder, 'lock'))).toEqual(['4'])
})

test('the folder may be deleted in the meantime', async () => {
  await withFolderLock(folder, () => rm(folder, { recursive: true }))
  expect(await namesIn(folder)).toEqual([])
})
