import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { namesIn } from '../testing/test-support.ts'
import { livingUsers, registerUser } from './living-users.ts'
import { ownIdentity } from './process-identity.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-users-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('counts each use by a process until it is removed', async () => {
  expect(await livingUsers(folder)).toEqual([])
  const own = await ownIdentity()
  const leaveFirst = await registerUser(folder)
  const leaveSecond = await registerUser(folder)
  expect(await livingUsers(folder)).toEqual([own, own])
  await leaveFirst()
  await leaveFirst()
  expect(await livingUsers(folder)).toEqual([own])
  await leaveSecond()
  expect(await livingUsers(folder)).toEqual([])
})

test('a process that ended, or whose id was reused, is ignored and its record removed', async () => {
  const leave = await registerUser(folder)
  const note = (name: string, content: string) => writeFile(join(folder, 'users', name), content)
  await note('ended', JSON.stringify({ pid: 2 ** 22 + 1, started: 'then' }))
  await note('reused', JSON.stringify({ pid: process.pid, started: 'another time' }))
  await note('torn', '{"pid"')
  expect(await livingUsers(folder)).toHaveLength(1)
  expect(await namesIn(join(folder, 'users'))).toHaveLength(1)
  await leave()
})
