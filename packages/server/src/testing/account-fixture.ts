import { type MadeUser, makeController, makeDomain, makeUser, signInAs, strongPassword } from './factories.ts'
import type { Answer, TestApp } from './test-app.ts'

/** An account with its own confirmed domain, for tests of users. */
export interface TestAccount {
  readonly owner: MadeUser
  readonly controller: MadeUser
  readonly member: MadeUser
  readonly domain: string
  readonly domainId: number
  /** Makes a call as one of the users. */
  as(who: 'owner' | 'controller' | 'member', route: string, body?: unknown): Promise<Answer>
  /** Returns valid input for a new user, with overrides. */
  newUser(facts?: Record<string, unknown>): Record<string, unknown>
}

let counter = 0

export async function makeAccount(app: TestApp): Promise<TestAccount> {
  const number = ++counter
  const domain = `company${number}.test`
  const owner = await makeUser(app, { email: `owner${number}@example.test`, plan: 'group' })
  const domainId = await makeDomain(app, domain, { type: 4, status: 50, walletId: owner.walletId })
  const controller = await makeUser(app, { email: `controller@${domain}`, walletId: owner.walletId })
  await makeController(app, controller, owner.walletId)
  const member = await makeUser(app, { email: `member@${domain}`, walletId: owner.walletId })
  const tokens = {
    owner: (await signInAs(app, owner)).access_token,
    controller: (await signInAs(app, controller)).access_token,
    member: (await signInAs(app, member)).access_token,
  }
  const packageId = await packageOf(app, 'kolab')
  let made = 0
  return {
    owner,
    controller,
    member,
    domain,
    domainId,
    as: (who, route, body) => app.call(route, { token: tokens[who], ...(body !== undefined && { body }) }),
    newUser: (facts = {}) => ({
      email: `new${++made}@${domain}`,
      password: strongPassword,
      password_confirmation: strongPassword,
      package: packageId,
      ...facts,
    }),
  }
}

/** Returns the package with that title. */
export async function packageOf(app: TestApp, title: string): Promise<string> {
  const packages = await app.database.db.selectFrom('packages').select(['id', 'title']).execute()
  const found = packages.find((item) => item.title === title)
  if (found === undefined)
    throw new Error(`no package ${title}: ${packages.map((item) => item.title).join()}`)
  return found.id
}

/** Counts an object's active entitlements by SKU title. */
export async function skusOf(app: TestApp, id: number): Promise<Record<string, number>> {
  const rows = await app.database.db
    .selectFrom('entitlements as e')
    .innerJoin('skus as k', 'k.id', 'e.skuId')
    .select((eb) => ['k.title', eb.fn.countAll<number>().as('units')])
    .where('e.objectId', '=', id)
    .where('e.deletedAt', 'is', null)
    .groupBy('k.title')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.title, row.units]))
}
