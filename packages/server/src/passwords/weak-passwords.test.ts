import { beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../platform/cli/command.ts'
import { makeAccount, type TestAccount } from '../testing/account-fixture.ts'
import { commandLine } from '../testing/command-line.ts'
import { type MadeUser, makeDomain, makeUser, signInAs, strongPassword } from '../testing/factories.ts'
import { importDesk } from '../testing/import-desk.ts'
import { apply, finish } from '../testing/signup/sign-up.ts'
import { type Answer, useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

const common =
  'This password is too easy to guess. Choose one that isn’t common, repetitive or a keyboard pattern.'
const personal =
  'This password is too easy to guess from personal details or the product name. Choose a different one.'

/** Weak for everyone. */
const weakForAll: readonly (readonly [string, string])[] = [
  ['password1', common],
  ['simple123', common],
  ['P4SSW0RD2026', common],
  ['aaaaaaaaaa', common],
  ['qwertz123', common],
  ['          ', common],
  ['\u3164\u200b\u2800\u2003\u3164\u200b\u2800\u2003', common],
  ['Gatehouse2026!', personal],
]

let account: TestAccount
let token = ''

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  account = await makeAccount(app())
  token = (await signInAs(app(), account.owner)).access_token
})

/** Creates a user with a distinctive name. */
async function tiburtia(): Promise<MadeUser & { token: string }> {
  const settings = {
    ...{ first_name: 'Tiburtia', last_name: 'Kronauer', organization: 'Brandweiner Holding' },
    external_email: 'lichtblau@elsewhere.test',
  }
  const user = await makeUser(app(), { walletId: account.owner.walletId, settings })
  return { ...user, token: (await signInAs(app(), user)).access_token }
}

/** Weak for Tiburtia. */
const weakForTiburtia: readonly (readonly [string, string])[] = [
  ['tiburtia1', personal],
  ['Kr0nau3r!!', personal],
  ['brandweiner-holding', personal],
  ['Tiburtia+Kronauer', personal],
  ['lichtblau77', personal],
  ['example.test1', personal],
]

/** Returns the password errors in a response. */
const told = ({ status, body }: Answer) => ({ status, password: [body.errors?.password].flat() })
const twice = (password: string) => ({ password, password_confirmation: password })
const refused = (text: string) => ({ status: 422, password: [text] })

describe('a weak password is rejected', () => {
  /** Tries each password and checks the errors. */
  async function expectRefused(set: (password: string) => Promise<Answer>): Promise<void> {
    for (const [password, text] of [...weakForAll, ...weakForTiburtia]) {
      expect({ tried: password, ...told(await set(password)) }).toEqual({ tried: password, ...refused(text) })
    }
  }

  test('when users change their own password', async () => {
    const user = await tiburtia()
    const path = `PUT /api/v4/users/${user.id}`
    await expectRefused((password) => app().call(path, { token: user.token, body: twice(password) }))
    expect((await signInAs(app(), user)).id).toBe(user.id)
  })

  test('when the owner sets it for another user', async () => {
    const { id } = await tiburtia()
    await expectRefused((password) => account.as('owner', `PUT /api/v4/users/${id}`, twice(password)))
  })

  test('when a user is created', async () => {
    const facts = {
      ...{ first_name: 'Tiburtia', last_name: 'Kronauer', organization: 'Brandweiner Holding' },
      external_email: 'lichtblau@elsewhere.test',
      email: `example.test1@${account.domain}`,
    }
    await expectRefused((password) =>
      account.as('owner', 'POST /api/v4/users', account.newUser({ ...twice(password), ...facts })),
    )
  })

  test('when it is reset by e-mail', async () => {
    const user = await tiburtia()
    const init = await app().call('POST /api/auth/password-reset/init', { body: { email: user.email } })
    const mail = (await app().mails()).find((one) => one.text.includes(init.body.code))
    const shortCode = /password-reset\/([A-Z0-9]+)-/.exec(mail?.text ?? '')?.[1]
    const reset = (password: string) =>
      app().call('POST /api/auth/password-reset', {
        body: { code: init.body.code, short_code: shortCode, ...twice(password) },
      })
    await expectRefused(reset)
    // a rejection does not consume the code
    expect((await reset(strongPassword)).status).toBe(200)
  })

  test('during a lockdown of the account', async () => {
    const { token: bearer } = await tiburtia()
    await expectRefused((password) =>
      app().call('POST /api/v4/lockdown', { token: bearer, body: twice(password) }),
    )
  })

  test('when an operator sets it', async () => {
    const user = await tiburtia()
    for (const [password, text] of [...weakForAll, ...weakForTiburtia]) {
      const run = commandLine(app, {}, password)('user:password', user.email)
      await expect(run).rejects.toThrow(new UsageError(text))
    }
  })
})

describe('at sign-up', () => {
  test('passwords that are weak for everyone are rejected', async () => {
    const applicant = await apply(app())
    for (const [password, text] of weakForAll) {
      const answer = await finish(app(), applicant, twice(password))
      expect({ tried: password, ...told(answer) }).toEqual({ tried: password, ...refused(text) })
    }
  })

  test('passwords based on the address, name and recovery address of the first step are rejected', async () => {
    const names = { first_name: 'Philomela', last_name: 'Argivenus', email: 'nachtvogel@elsewhere.test' }
    const applicant = await apply(app(), names)
    for (const password of ['phil0mela9', 'Argivenus26', 'nachtvogel-12', 'zaunammer', 'example.test!']) {
      const step = { ...twice(password), login: 'zaunammer' }
      const answer = await finish(app(), applicant, step)
      expect({ tried: password, ...told(answer) }).toEqual({ tried: password, ...refused(personal) })
    }
    expect((await finish(app(), applicant, twice(strongPassword))).status).toBe(200)
  })
})

test('a weak password in an imported file is an error of its row', async () => {
  const desk = importDesk(app, () => ({ account, token }))
  const { domain } = account
  const rows = [
    `ann@${domain},Ann,kolab,password1`,
    `bob@${domain},Kunibert,kolab,kunibert99`,
    `cid@${domain},Cid,kolab,${strongPassword}`,
  ]
  const { id, counts } = await desk.upload(['email,first_name,package,password', ...rows].join('\n'))
  expect(counts).toMatchObject({ ok: 1, refused: 2 })
  const { body } = await app().call(`GET /api/v4/batches/${id}/rows`, { token })
  const messages = body.list.map((row: { messages: { field: string; text: string }[] }) => row.messages)
  expect(messages).toEqual([
    [{ field: 'password', text: common }],
    [{ field: 'password', text: personal }],
    [],
  ])
})

test('a passphrase that contains a name is accepted', async () => {
  const user = await tiburtia()
  const password = 'tiburtia hates wet sandals'
  const path = `PUT /api/v4/users/${user.id}`
  expect((await app().call(path, { token: user.token, body: twice(password) })).status).toBe(200)
  expect((await signInAs(app(), { ...user, password })).id).toBe(user.id)
})

test('a password of 64 letters is accepted and significant up to its last letter', async () => {
  const user = await tiburtia()
  const password = 'horsetulipanchorlanternmarbleviolinharbourpepperwindowsaddlerive'
  expect(password).toHaveLength(64)
  const path = `PUT /api/v4/users/${user.id}`
  expect((await app().call(path, { token: user.token, body: twice(password) })).status).toBe(200)
  const shorter = { email: user.email, password: password.slice(0, -1) }
  expect((await app().call('POST /api/auth/login', { body: shorter })).status).toBe(401)
  const louder = { email: user.email, password: password.toUpperCase() }
  expect((await app().call('POST /api/auth/login', { body: louder })).status).toBe(401)
})

test('an existing weak password keeps working', async () => {
  const user = await makeUser(app(), { password: 'password' })
  expect((await signInAs(app(), user)).id).toBe(user.id)
})

describe('the live check', () => {
  const check = async (body: object, bearer?: string) => {
    const answer = await app().call('POST /api/auth/password-policy-check', { body, token: bearer })
    const rules = answer.body.list.filter(({ label }: { label: string }) => /common|personal/.test(label))
    return { status: answer.body.status, rules }
  }
  const rules = (isCommonMet: boolean, isPersonalMet: boolean) => [
    {
      ...{ label: 'common', name: 'Not a common or easily guessed password', param: null, enabled: true },
      status: isCommonMet,
    },
    {
      label: 'personal',
      name: 'Not based on personal details or the product name',
      ...{ param: null, enabled: true, status: isPersonalMet },
    },
  ]

  test('shows a rule for common passwords and one for personal words', async () => {
    expect(await check({})).toEqual({ status: 'error', rules: rules(false, false) })
    expect(await check({ password: 'password1' })).toEqual({ status: 'error', rules: rules(false, true) })
    expect(await check({ password: 'gatehouse9' })).toEqual({ status: 'error', rules: rules(true, false) })
    expect(await check({ password: strongPassword })).toEqual({ status: 'success', rules: rules(true, true) })
  })

  test('considers the words of the signed-in user', async () => {
    const user = await tiburtia()
    for (const [password] of weakForTiburtia) {
      expect(await check({ password }, user.token)).toEqual({ status: 'error', rules: rules(true, false) })
    }
  })

  test("doesn't reveal a user's name to others", async () => {
    const user = await tiburtia()
    expect((await check({ password: 'kronauer12', user: user.id })).status).toBe('success')
    const stranger = await makeUser(app())
    const { access_token: bearer } = await signInAs(app(), stranger)
    expect((await check({ password: 'kronauer12', user: user.id }, bearer)).status).toBe('success')
  })

  test('considers what is entered along with the password', async () => {
    const typed = {
      ...{ email: 'wiedehopf@sonnenhof.test', first_name: 'Kunibert', last_name: 'Zaunegger' },
      organization: 'Rebgarten',
    }
    for (const password of ['wiedehopf1', 'Kunibert1!', 'zaunegger-99', 'Rebgarten', 'sonnenhof.test']) {
      expect({ password, ...(await check({ password, ...typed })) }).toMatchObject({
        ...{ password, status: 'error' },
        rules: [{}, { label: 'personal', status: false }],
      })
    }
    expect(await check({ password: strongPassword, ...typed })).toMatchObject({ status: 'success' })
  })
})
