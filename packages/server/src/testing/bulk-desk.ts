import type { TestAccount } from './account-fixture.ts'
import { makeUser } from './factories.ts'
import type { TestApp } from './test-app.ts'

/** Helpers for bulk actions on an account's users; read `account` inside tests only. */
export function bulkDesk(app: () => TestApp, account: () => TestAccount) {
  /** Creates more users in the account, with mailbox and package. */
  async function makeMembers(count: number, plan?: null): Promise<number[]> {
    const ids: number[] = []
    for (let number = 0; number < count; number++) {
      const email = `m${String(number).padStart(4, '0')}@${account().domain}`
      ids.push(
        (await makeUser(app(), { email, walletId: account().owner.walletId, ...(plan === null && { plan }) }))
          .id,
      )
    }
    return ids
  }

  const bulk = (body: Record<string, unknown>, who: 'owner' | 'controller' | 'member' = 'owner') =>
    account().as(who, 'POST /api/v4/bulk', { objects: 'users', ...body })
  const see = async (id: string) => (await account().as('owner', `GET /api/v4/batches/${id}`)).body
  const rowsOf = async (id: string, query = '') =>
    (await account().as('owner', `GET /api/v4/batches/${id}/rows${query}`)).body

  /** Starts an action and waits until it has finished. */
  async function finish(body: Record<string, unknown>) {
    const { id } = (await bulk(body)).body.batch
    await app().jobs.drain()
    return see(id)
  }

  const living = async (ids: readonly number[]) => {
    const { rows } = await app().database.pool.query<{ id: number }>(
      'select id from users where id = any($1) and deleted_at is null',
      [ids],
    )
    const alive = new Set(rows.map((row) => row.id))
    return ids.filter((id) => alive.has(id))
  }

  return { makeMembers, bulk, see, rowsOf, finish, living }
}
