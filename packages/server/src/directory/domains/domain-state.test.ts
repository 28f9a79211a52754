import { describe, expect, test } from 'vitest'
import { makeDomain, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type DomainTransition, IllegalDomainTransition, transitionDomain } from './domain-state.ts'
import { readDomain } from './domain-store.ts'

const app = useTestApp()
let made = 0

/** Creates a domain with these status bits. */
async function domainWith(status: number, facts: { type?: number; deleted?: boolean } = {}): Promise<number> {
  const owner = await makeUser(app())
  const type = facts.type ?? 4
  const walletId = type === 1 ? undefined : owner.walletId
  const id = await makeDomain(app(), `state${++made}.test`, { type, status, ...(walletId && { walletId }) })
  if (facts.deleted === true) {
    const { db } = app().database
    await db.updateTable('domains').set({ deletedAt: app().clock.now() }).where('id', '=', id).execute()
  }
  return id
}

const step = (id: number, name: DomainTransition) =>
  transitionDomain(app().database.db, app().clock, id, name)
const statusOf = async (id: number) => (await readDomain(app().database.db, id))?.status

describe('a state change of a domain', () => {
  test.each([
    ['verify', 1, 33],
    ['verify', 33, 33],
    ['confirm', 1, 50],
    ['confirm', 33, 50],
    ['confirm', 65, 114],
    // suspended before it was confirmed: not active until unsuspended
    ['confirm', 1 | 4, 1 | 4 | 16 | 32],
    ['suspend', 50, 52],
    ['suspend', 1, 5],
    ['unsuspend', 52, 50],
    ['unsuspend', 1 | 4 | 16 | 32, 50],
    // only a domain with proven ownership becomes active
    ['unsuspend', 5, 1],
    ['unsuspend', 37, 33],
    ['forget', 50, 1],
    ['forget', 54, 5],
    ['ldapReady', 50, 114],
  ] as const)('%s changes %i to %i', async (name, from, to) => {
    const id = await domainWith(from)
    expect(await step(id, name)).toBe(from !== to)
    expect(await statusOf(id)).toBe(to)
  })

  test.each([
    ['removed', 114, 16 | 32 | 8],
    ['restore', 16 | 32 | 8, 1],
    ['restore', 50, 1],
    ['restore', 52, 5],
  ] as const)('of a deleted domain: %s changes %i to %i', async (name, from, to) => {
    const id = await domainWith(from, { deleted: true })
    await step(id, name)
    expect(await statusOf(id)).toBe(to)
  })

  test('is not normalised for a public domain', async () => {
    const id = await domainWith(2 | 16, { type: 1 })
    await step(id, 'suspend')
    expect(await statusOf(id)).toBe(2 | 4 | 16)
  })

  test('is rejected if the state does not allow it', async () => {
    const gone = await domainWith(50, { deleted: true })
    await expect(step(gone, 'confirm')).rejects.toThrow(IllegalDomainTransition)
    await expect(step(await domainWith(50), 'restore')).rejects.toThrow(IllegalDomainTransition)
    await expect(step(await domainWith(50), 'removed')).rejects.toThrow(IllegalDomainTransition)
    await expect(step(4_000_000_000, 'confirm')).rejects.toThrow(IllegalDomainTransition)
  })

  test('is not lost when several happen concurrently', async () => {
    const id = await domainWith(1)
    await Promise.all((['suspend', 'verify', 'confirm', 'ldapReady'] as const).map((name) => step(id, name)))
    await step(id, 'unsuspend')
    expect(await statusOf(id)).toBe(2 | 16 | 32 | 64)
  })
})

test('a domain that moves to another account gets a new token and loses its confirmation', async () => {
  const id = await domainWith(50)
  const before = await readDomain(app().database.db, id)
  const other = await makeUser(app())
  await app().database.pool.query('update domains set wallet_id = $1 where id = $2', [other.walletId, id])
  const after = await readDomain(app().database.db, id)
  expect(after?.token).toMatch(/^[0-9a-f]{32}$/)
  expect(after?.token).not.toBe(before?.token)
  expect(after?.status).toBe(1)
})
