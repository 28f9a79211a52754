import { beforeAll, describe, expect, test } from 'vitest'
import {
  deleteUser,
  type MadeUser,
  makeDiscount,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
  strongPassword,
} from '../../testing/factories.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { makePayment, type PaymentFacts } from '../../testing/payments/payments.ts'
import { makeOfferingTenant } from '../../testing/signup/offering-tenant.ts'
import { apply, finish } from '../../testing/signup/sign-up.ts'
import {
  bareStep,
  makeInvitation,
  makePlan,
  makeProgram,
  makeToken,
} from '../../testing/signup/signup-ways.ts'
import { type Answer, useTestApp } from '../../testing/test-app.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { awardReferral } from './award.ts'
import { insertReferral } from './referral-store.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeTenant(app(), 4)
  await makeDomain(app(), 'example.test')
  await makeToken(app(), 'SESAME', await makePlan(app(), { title: 'club', mode: 'token' }))
})

const db = () => app().database.db

/** The referral programmes of a wallet, as returned to its owner. */
async function programsOf(user: MadeUser, language = 'en') {
  const { access_token: token } = await signInAs(app(), user)
  const path = `/api/v4/wallets/${user.walletId}/referral-programs`
  const answer = await app().call(`GET ${path}`, { token, headers: { 'accept-language': language } })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

/** A user's own code in a programme. */
async function codeOf(user: MadeUser, programId: string): Promise<string> {
  const { list } = await programsOf(user)
  const url: string = list.find((program: { id: string }) => program.id === programId).url
  return url.split('/').at(-1) ?? ''
}

let caller = 0
const signUp = (body: object): Promise<Answer> =>
  app().call('POST /api/auth/signup', { body, ip: `203.0.${++caller >> 8}.${caller & 255}` })

let logins = 0

/** A user who signed up with a code. */
async function newcomer(referral: string): Promise<{ id: number; walletId: string }> {
  const { status, body } = await signUp(
    bareStep(`newcomer${++logins}`, { plan: 'club', token: 'SESAME', referral }),
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id: body.id, walletId: body.wallet.id }
}

/** Stores a payment and runs the effects of its credit. */
async function pay(walletId: string, facts: PaymentFacts): Promise<string> {
  const id = await makePayment(app(), walletId, facts)
  await db()
    .transaction()
    .execute((trx) => awardReferral(trx, { clock: app().clock, jobs: app().jobs }, walletId))
  return id
}

const referralsOf = (userId: number) =>
  db().selectFrom('referrals').select(['code', 'redeemedAt']).where('userId', '=', userId).execute()

describe('referral programmes of a wallet', () => {
  test("include a code, a URL and its QR code, in the reader's language", async () => {
    const program = await makeProgram(app())
    await makeProgram(app(), { name: 'Over', active: false })
    await makeProgram(app(), { name: 'Foreign', tenantId: 4 })
    const owner = await makeUser(app())
    const first = await programsOf(owner)
    expect(first).toMatchObject({ status: 'success', page: 1, count: 1, hasMore: false })
    const [item] = first.list
    expect(item).toMatchObject({ id: program, name: 'Friends', description: 'Bring a friend.', refcount: 0 })
    expect(item.url).toMatch(/^http:\/\/localhost:8000\/signup\/referral\/[2-9A-HJ-NP-Z]{8}$/)
    const picture = Buffer.from(item.qrCode.replace('data:image/svg+xml;base64,', ''), 'base64')
    expect(picture.toString()).toMatch(/^<svg [^>]*width="300"/)
    const again = await programsOf(owner, 'de')
    expect(again.list).toMatchObject([{ name: 'Freunde', url: item.url }])
    await endPrograms()
  })

  test('return the same code to concurrent readers', async () => {
    const program = await makeProgram(app())
    const owner = await makeUser(app())
    const { access_token: token } = await signInAs(app(), owner)
    const read = () => app().call(`GET /api/v4/wallets/${owner.walletId}/referral-programs`, { token })
    const answers = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(answers.map(({ body }) => body.list[0]?.url)).size).toBe(1)
    const codes = await db()
      .selectFrom('referralCodes')
      .select('code')
      .where('programId', '=', program)
      .execute()
    expect(codes).toHaveLength(1)
    await endPrograms()
  })

  test('require permission to read the wallet', async () => {
    const owner = await makeUser(app())
    const stranger = await makeUser(app())
    const { access_token: token } = await signInAs(app(), stranger)
    const read = (id: string, facts: object) =>
      app().call(`GET /api/v4/wallets/${id}/referral-programs`, facts)
    expect((await read(owner.walletId, { token })).status).toBe(403)
    expect((await read('x', { token })).status).toBe(404)
    expect((await read(owner.walletId, {})).status).toBe(401)
    const foreign = await makeUser(app(), { email: 'foreign@elsewhere.test', tenantId: 4 })
    const other = await signInAs(app(), foreign)
    expect((await read(owner.walletId, { token: other.access_token })).status).toBe(404)
  })

  test("count only accounts that used the reader's own code", async () => {
    const program = await makeProgram(app())
    const [one, two] = [await makeUser(app()), await makeUser(app())]
    const codes = [await codeOf(one, program), await codeOf(two, program)]
    for (const index of [0, 0, 1]) await newcomer(codes[index] ?? '')
    expect((await programsOf(one)).list[0].refcount).toBe(2)
    expect((await programsOf(two)).list[0].refcount).toBe(1)
    await endPrograms()
  })
})

describe('a referral', () => {
  test("applies in every mode, regardless of the code's case, with the programme's discount", async () => {
    const discountId = await makeDiscount(app(), { discount: 15 })
    const program = await makeProgram(app(), { discountId })
    const code = await codeOf(await makeUser(app()), program)
    const invitation = await makeInvitation(app(), 'invited@elsewhere.test')
    const ways: Answer[] = [
      await finish(app(), await apply(app(), { referral: code.toLowerCase() })),
      await signUp(bareStep('by.token', { plan: 'club', token: 'SESAME', referral: code.toLowerCase() })),
      await signUp(bareStep('by.invitation', { plan: 'individual', invitation, referral: code })),
    ]
    const first = await app().call('POST /api/auth/signup/init', {
      body: { plan: 'club', token: 'SESAME', referral: code },
    })
    const { code: long, short_code } = first.body
    ways.push(await signUp(bareStep('by.token.code', { code: long, short_code })))
    for (const { status, body } of ways) {
      expect(status).toBe(200)
      expect(body.wallet.discount).toBe(15)
      expect(await referralsOf(body.id)).toEqual([{ code, redeemedAt: null }])
    }
    await endPrograms()
  })

  test('is overridden by a voucher', async () => {
    const discountId = await makeDiscount(app(), { discount: 15 })
    await makeDiscount(app(), { discount: 50, code: 'HALF' })
    const code = await codeOf(await makeUser(app()), await makeProgram(app(), { discountId }))
    const { body } = await finish(app(), await apply(app(), { referral: code }), { voucher: 'half' })
    expect(body.wallet.discount).toBe(50)
    expect(await referralsOf(body.id)).toHaveLength(1)
    await endPrograms()
  })

  test('is rejected if its code is in no active programme of the tenant, or its owner is deleted', async () => {
    const invalid = { referral: 'This referral code isn’t valid.' }
    const over = await makeProgram(app())
    const left = await makeProgram(app())
    const [owner, gone] = [await makeUser(app()), await makeUser(app())]
    const [codeOver, codeGone] = [await codeOf(owner, over), await codeOf(gone, left)]
    await db().updateTable('referralPrograms').set({ active: false }).where('id', '=', over).execute()
    await deleteUser(app(), gone)
    for (const referral of ['NOTHING', codeOver, codeGone, "' or 1=1"]) {
      const init = { plan: 'individual', email: 'someone@elsewhere.test', referral }
      expect((await app().call('POST /api/auth/signup/init', { body: init })).body.errors).toEqual(invalid)
      const step = bareStep('refused', { plan: 'club', token: 'SESAME', referral })
      expect((await signUp(step)).body.errors).toEqual(invalid)
    }
    await endPrograms()
  })

  test('whose programme ends after the first step is dropped, and the sign-up continues', async () => {
    const program = await makeProgram(app())
    const applicant = await apply(app(), { referral: await codeOf(await makeUser(app()), program) })
    await endPrograms()
    const { status, body } = await finish(app(), applicant)
    expect(status).toBe(200)
    expect(await referralsOf(body.id)).toEqual([])
  })

  test.each(['self@elsewhere.test', 'SELF+again@elsewhere.test'])(
    'of oneself (%s) is left out without a word',
    async (email) => {
      const discountId = await makeDiscount(app(), { discount: 15 })
      const program = await makeProgram(app(), { discountId })
      const owner = await makeUser(app(), { settings: { external_email: 'Self@elsewhere.test' } })
      const applicant = await apply(app(), { referral: await codeOf(owner, program), email })
      const { status, body } = await finish(app(), applicant)
      expect({ status, discount: body.wallet.discount }).toEqual({ status: 200, discount: null })
      expect(await referralsOf(body.id)).toEqual([])
      await endPrograms()
    },
  )
})

describe('the award', () => {
  test.each<[string, number, readonly PaymentFacts[], boolean]>([
    ['follows the first payment where nothing is asked for', 0, [{ amount: 1 }], true],
    ['waits for the sum', 1000, [{ amount: 999 }], false],
    ['comes with the sum', 1000, [{ amount: 400 }, { amount: 600 }], true],
    ['counts what was booked, not what was paid', 1000, [{ amount: 1081, creditAmount: 999 }], false],
    ['does not count what is not paid', 1000, [{ amount: 5000, paidAt: null }], false],
  ])('%s', async (_, threshold, payments, isAwarded) => {
    const program = await makeProgram(app(), { award: 700, threshold })
    const owner = await makeUser(app())
    const { id, walletId } = await newcomer(await codeOf(owner, program))
    for (const payment of payments) await pay(walletId, payment)
    expect(await balanceOf(app(), owner.walletId)).toBe(isAwarded ? 700 : 0)
    const redeemed = isAwarded ? app().clock.now() : null
    expect((await referralsOf(id))[0]?.redeemedAt).toEqual(redeemed)
    await endPrograms()
  })

  test('takes reversals into account', async () => {
    const program = await makeProgram(app(), { award: 700, threshold: 1000 })
    const owner = await makeUser(app())
    const { walletId } = await newcomer(await codeOf(owner, program))
    const first = await pay(walletId, { amount: 900 })
    await makePayment(app(), walletId, { amount: -500, type: 'refund', refundOf: first })
    await pay(walletId, { amount: 500 })
    expect(await balanceOf(app(), owner.walletId)).toBe(0)
    await pay(walletId, { amount: 100 })
    expect(await balanceOf(app(), owner.walletId)).toBe(700)
    await endPrograms()
  })

  test("of a tenant’s own programme is paid from the tenant's wallet", async () => {
    const tenant = await makeOfferingTenant(app(), 'partner')
    const program = await makeProgram(app(), { award: 700, tenantId: tenant.id })
    const owner = await makeUser(app(), { tenantId: tenant.id, plan: null })
    const guest = await makeUser(app(), { tenantId: tenant.id, plan: null })
    const { access_token: token } = await signInAs(app(), owner)
    const { body } = await app().call(`GET /api/v4/wallets/${owner.walletId}/referral-programs`, { token })
    const { url } = body.list.find(({ id }: { id: string }) => id === program)
    expect(url).toMatch(/^https:\/\/mail\.partner\.test\/signup\/referral\//)
    await insertReferral(db(), url.split('/').at(-1), guest.id, app().clock.now())
    await pay(guest.walletId, { amount: 1000 })
    expect(await balanceOf(app(), owner.walletId)).toBe(700)
    expect(await balanceOf(app(), tenant.reseller.walletId)).toBe(-700)
    await endPrograms()
  })

  test('is given once for concurrent payments, and reveals only the programme', async () => {
    const program = await makeProgram(app(), { award: 700 })
    const owner = await makeUser(app())
    const { walletId } = await newcomer(await codeOf(owner, program))
    await Promise.all(Array.from({ length: 10 }, () => pay(walletId, { amount: 1000 })))
    await pay(walletId, { amount: 1000 })
    expect(await balanceOf(app(), owner.walletId)).toBe(700)
    const { access_token: token } = await signInAs(app(), owner)
    const { body } = await app().call(`GET /api/v4/wallets/${owner.walletId}/transactions`, { token })
    expect(body.list).toMatchObject([
      { type: 'award', amount: 700, description: 'Bonus from the referral programme “Friends”' },
    ])
    // the payments in these tests are rows without credits
    const findings = (await verifyLedger(db())).filter(
      ({ check }) => !/payment|refunds and chargebacks/.test(check),
    )
    expect(findings).toEqual([])
    await endPrograms()
  })

  test('is given in a chain of simultaneous referrals', async () => {
    const program = await makeProgram(app(), { award: 100 })
    const first = await makeUser(app())
    const chain: { id: number; walletId: string }[] = []
    let code = await codeOf(first, program)
    for (let n = 0; n < 6; n++) {
      const next = await newcomer(code)
      chain.push(next)
      code = await codeOfNewcomer(next, program)
    }
    await Promise.all(chain.map(({ walletId }) => pay(walletId, { amount: 1000 })))
    const wallets = [first.walletId, ...chain.map(({ walletId }) => walletId)]
    const balances = await Promise.all(wallets.map((id) => balanceOf(app(), id)))
    expect(balances).toEqual([100, 100, 100, 100, 100, 100, 0])
    await endPrograms()
  })

  test('is still given after the programme has ended', async () => {
    const program = await makeProgram(app(), { award: 700 })
    const owner = await makeUser(app())
    const { walletId } = await newcomer(await codeOf(owner, program))
    await endPrograms()
    await pay(walletId, { amount: 1000 })
    expect(await balanceOf(app(), owner.walletId)).toBe(700)
  })

  test('is not given to a deleted referrer, and the referral is closed', async () => {
    const program = await makeProgram(app(), { award: 700 })
    const owner = await makeUser(app())
    const { id, walletId } = await newcomer(await codeOf(owner, program))
    await deleteUser(app(), owner)
    app().clock.advance(60)
    await pay(walletId, { amount: 1000 })
    const [referral] = await db().selectFrom('referrals').selectAll().where('userId', '=', id).execute()
    expect(referral?.redeemedAt).toEqual(referral?.createdAt)
    expect(await balanceOf(app(), owner.walletId)).toBe(0)
    await endPrograms()
  })

  test('is not given to oneself, even if that is only detected later', async () => {
    const program = await makeProgram(app(), { award: 700 })
    const owner = await makeUser(app())
    const { id, walletId } = await newcomer(await codeOf(owner, program))
    await db()
      .insertInto('userSettings')
      .values({ userId: id, key: 'external_email', value: owner.email })
      .execute()
    await pay(walletId, { amount: 1000 })
    expect(await balanceOf(app(), owner.walletId)).toBe(0)
    expect((await referralsOf(id))[0]?.redeemedAt).not.toBeNull()
    await endPrograms()
  })
})

/** The code of a user who has just signed up. */
async function codeOfNewcomer({ id, walletId }: { id: number; walletId: string }, programId: string) {
  const { email } = await db()
    .selectFrom('users')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return codeOf({ id, email, walletId, password: strongPassword }, programId)
}

async function endPrograms(): Promise<void> {
  await db().updateTable('referralPrograms').set({ active: false }).execute()
}
