import type { TestAccount } from './account-fixture.ts'
import type { TestApp } from './test-app.ts'

/** Helpers for imports by an account's owner; read `account` and `token` inside tests only. */
export function importDesk(
  app: () => TestApp,
  owner: () => { readonly account: TestAccount; readonly token: string },
) {
  const send = (file: string | Buffer, query = 'kind=users', headers: Record<string, string> = {}) =>
    app().call(`POST /api/v4/imports?${query}`, {
      token: owner().token,
      body: file,
      headers: { 'content-type': 'text/csv', ...headers },
    })

  /** Uploads a file of users and waits until it has been validated. */
  async function upload(file: string | Buffer, query?: string) {
    const { status, body } = await send(file, query)
    if (status !== 200) throw new Error(JSON.stringify(body))
    await app().jobs.drain()
    return see(body.batch.id)
  }

  const see = async (id: string) =>
    (await app().call(`GET /api/v4/batches/${id}`, { token: owner().token })).body
  const start = (id: string) =>
    app().call(`POST /api/v4/batches/${id}/start`, { token: owner().token, body: {} })

  const users = async () => {
    const { rows } = await app().database.pool.query<{ id: number; email: string }>(
      `select id, email from users where wallet_id = $1 and deleted_at is null
        and email like '%@' || $2 and email not like 'member@%' and email not like 'controller@%' order by email`,
      [owner().account.owner.walletId, owner().account.domain],
    )
    return rows
  }
  const emails = async () => (await users()).map((user) => user.email)

  return { send, upload, see, start, users, emails }
}
