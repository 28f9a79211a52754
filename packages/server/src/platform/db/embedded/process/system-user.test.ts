import { expect, test } from 'vitest'
import { isRoot } from '../testing/test-support.ts'
import type { RunAs } from './run-command.ts'
import { runCommand } from './run-command.ts'
import { chooseSystemUser, machineUsers, type UserDirectory } from './system-user.ts'

/** Simulates a machine with some users that may be able to create one. */
function machineWith(names: string[], canCreate = true) {
  const known = new Set(names)
  const created: string[] = []
  const users: UserDirectory = {
    async find(name): Promise<RunAs | null> {
      return known.has(name) ? { name, uid: 1, gid: 1 } : null
    },
    async create(name) {
      created.push(name)
      if (canCreate) known.add(name)
    },
  }
  return { users, created }
}

test.each([
  [['postgres', 'gatehouse-pg', 'nobody'], true, 'postgres', []],
  [['gatehouse-pg', 'nobody'], true, 'gatehouse-pg', []],
  [['nobody'], true, 'gatehouse-pg', ['gatehouse-pg']],
  [['nobody'], false, 'nobody', ['gatehouse-pg']],
])('from %j (may create: %s) chooses %s', async (names, canCreate, expected, expectedCreated) => {
  const { users, created } = machineWith(names, canCreate)
  expect((await chooseSystemUser(users)).name).toBe(expected)
  expect(created).toEqual(expectedCreated)
})

test('explains what to do if there is no suitable user', async () => {
  await expect(chooseSystemUser(machineWith([], false).users)).rejects.toThrow('useradd --system')
})

test("never chooses root, and doesn't find an unknown name", async () => {
  expect(await machineUsers.find('root')).toBeNull()
  expect(await machineUsers.find('no-such-user-here')).toBeNull()
})

test.skipIf(!isRoot || process.platform !== 'linux')('creates a system user (needs root)', async () => {
  const name = `gh-test-${process.pid}`
  try {
    await machineUsers.create(name)
    const user = await machineUsers.find(name)
    expect(user?.name).toBe(name)
    expect(user?.uid).toBeGreaterThan(0)
  } finally {
    await runCommand('userdel', [name])
  }
})
