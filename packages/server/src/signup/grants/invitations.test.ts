import { beforeAll, describe, expect, test } from 'vitest'
import { makeDomain } from '../../testing/factories.ts'
import { countRows } from '../../testing/signup/sign-up.ts'
import { bareStep, makeInvitation, makePlan, makeToken } from '../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { invitationLife } from './invitation-store.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const clubId = await makePlan(app(), { title: 'club', mode: 'token' })
  await makeToken(app(), 'SESAME', clubId)
})

let caller = 0
const call = (step: string, body: object) =>
  app().call(`POST /api/auth/signup${step}`, { body, ip: `203.0.113.${++caller}` })
const look = (id: string) => app().call(`GET /api/auth/signup/invitations/${id}`)
const row = (id: string) =>
  app().database.db.selectFrom('signupInvitations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an invitation', () => {
  test('replaces the proof of an address, and is completed by the account', async () => {
    const invitation = await makeInvitation(app(), 'Guest@Elsewhere.test')
    expect(await look(invitation)).toMatchObject({ status: 200, body: { id: invitation } })
    const names = { first_name: 'Gus', last_name: 'Guest' }
    const step = bareStep('guest', { invitation, plan: 'individual', ...names })
    expect(await call('/validate', step)).toMatchObject({ status: 200, body: { status: 'success' } })
    const { status, body } = await call('', step)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: 'guest@example.test',
      isRestricted: true,
      settings: { external_email: 'guest@elsewhere.test', ...names },
    })
    expect(await row(invitation)).toMatchObject({
      status: 8,
      userId: body.id,
      updatedAt: app().clock.now(),
    })
    expect((await look(invitation)).status).toBe(404)
    expect((await call('', { ...step, login: 'again' })).status).toBe(404)
  })

  test('is valid in every state but the last, and for plans with a domain', async () => {
    for (const [index, status] of [2, 4].entries()) {
      const invitation = await makeInvitation(app(), `state${status}@elsewhere.test`)
      await app()
        .database.db.updateTable('signupInvitations')
        .set({ status })
        .where('id', '=', invitation)
        .execute()
      expect((await look(invitation)).status).toBe(200)
      const domain = `invited${index}.test`
      const step = bareStep('boss', { invitation, plan: 'group', domain })
      expect((await call('', step)).body).toMatchObject({ email: `boss@${domain}` })
    }
  })

  test('expires after a month', async () => {
    const invitation = await makeInvitation(app(), 'late@elsewhere.test')
    app().clock.advance(invitationLife - 1)
    expect((await look(invitation)).status).toBe(200)
    app().clock.advance(1)
    expect((await look(invitation)).status).toBe(404)
    const step = bareStep('late', { invitation, plan: 'individual' })
    expect((await call('/validate', step)).status).toBe(404)
    expect((await call('', step)).status).toBe(404)
  })

  test.each(['x', '00000000-0000-7000-8000-000000000000', "' or 1=1", 'x'.repeat(64)])(
    '%j is not found, before any field is validated',
    async (id) => {
      expect((await look(encodeURIComponent(id))).status).toBe(404)
      for (const step of ['/validate', '']) {
        expect((await call(step, { invitation: id })).status).toBe(404)
      }
    },
  )

  test('requires a plan, and for some plans also a token', async () => {
    const invitation = await makeInvitation(app(), 'picky@elsewhere.test')
    const without = await call('', bareStep('picky', { invitation }))
    expect(without.body.errors).toEqual({ plan: ['Fill in this field.'] })
    const club = (token?: string) => call('', bareStep('picky', { invitation, plan: 'club', token }))
    expect((await club()).body.errors).toEqual({ token: 'Fill in this field.' })
    expect((await club('nothing')).body.errors).toEqual({ token: 'This sign-up token isn’t valid.' })
    expect((await club('sesame')).status).toBe(200)
  })

  test('rejects names that are too long or not text', async () => {
    const invitation = await makeInvitation(app(), 'names@elsewhere.test')
    const facts = { invitation, plan: 'individual', first_name: 'x'.repeat(129), last_name: 5 }
    expect((await call('', bareStep('names', facts))).body.errors).toEqual({
      first_name: ['Enter at most 128 characters.'],
      last_name: ['This must be text.'],
    })
  })

  test('is deleted with the user who accepted it', async () => {
    const invitation = await makeInvitation(app(), 'private@elsewhere.test')
    const { body } = await call('', bareStep('private', { invitation, plan: 'individual' }))
    const { removePerson } = await import('../../account-lifecycle/forget-store.ts')
    await removePerson(app().database.db, [body.id], app().clock.now())
    const left = await app()
      .database.db.selectFrom('signupInvitations')
      .select('id')
      .where('id', '=', invitation)
      .execute()
    expect(left).toEqual([])
  })
})

test('fifty concurrent uses of one invitation create one account; the others get an error', async () => {
  const invitation = await makeInvitation(app(), 'wanted@elsewhere.test')
  const before = await countRows(app())
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      app().call('POST /api/auth/signup', {
        body: bareStep(`wanted${n}`, { invitation, plan: 'individual' }),
        ip: `198.51.100.${n}`,
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 404)])
  const winner = answers.find(({ status }) => status === 200)
  expect(await row(invitation)).toMatchObject({ status: 8, userId: winner?.body.id })
  const gained = (await countRows(app())).users ?? 0
  expect(gained - (before.users ?? 0)).toBe(1)
})
