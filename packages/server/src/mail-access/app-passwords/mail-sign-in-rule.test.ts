import { expect, test } from 'vitest'
import { makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { enrolPasskey } from '../../testing/factors.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type MailSecret, mailSignInRule, protectionOf } from './mail-sign-in-rule.ts'

const app = useTestApp()

test.each<[boolean, boolean, MailSecret, string]>([
  [false, false, 'account-password', 'allowed'],
  [false, false, 'app-password', 'allowed'],
  [true, false, 'account-password', 'app-password-needed'],
  [true, false, 'app-password', 'allowed'],
  [false, true, 'account-password', 'confirmation-needed'],
  [false, true, 'app-password', 'allowed'],
  [true, true, 'account-password', 'app-password-needed'],
  [true, true, 'app-password', 'allowed'],
])(
  'with factor %s and companion %s, a mail program with the %s is %s',
  (factor, companion, secret, verdict) => {
    expect(mailSignInRule({ hasSecondFactor: factor, hasCompanion: companion }, secret)).toBe(verdict)
  },
)

test('only an active factor protects a user, not one being set up', async () => {
  const { db } = app().database
  const user = await makeUser(app(), { email: 'rule@example.test' })
  expect(await protectionOf(db, user.id)).toEqual({ hasSecondFactor: false, hasCompanion: false })
  await makeTotp(app(), user)
  expect(await protectionOf(db, user.id)).toEqual({ hasSecondFactor: true, hasCompanion: false })
  await db.updateTable('secondFactors').set({ active: false }).where('userId', '=', user.id).execute()
  expect(await protectionOf(db, user.id)).toEqual({ hasSecondFactor: false, hasCompanion: false })
})

test('a passkey protects a user as well', async () => {
  const user = await makeUser(app(), { email: 'passkey@example.test' })
  await enrolPasskey(app(), (await signInAs(app(), user)).access_token)
  expect(await protectionOf(app().database.db, user.id)).toMatchObject({ hasSecondFactor: true })
})
