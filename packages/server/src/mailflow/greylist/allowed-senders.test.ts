import { beforeAll, describe, expect, test } from 'vitest'
import { NotFound, ValidationError } from '../../platform/http/errors.ts'
import { commandLine } from '../../testing/command-line.ts'
import { type MadeUser, makeDomain, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { allowedSenders, allowSender, removeAllowedSender } from './allowed-senders.ts'
import { Greylisting } from './greylisting.ts'
import { letThrough } from './let-through.ts'

const app = useTestApp()
const day = 86_400
let jane: MadeUser & { tenantId: number }

beforeAll(async () => {
  await makeDomain(app(), 'acme.test')
  jane = { ...(await makeUser(app(), { email: 'jane@acme.test' })), tenantId: 0 }
})

const parts = () => ({ db: app().database.db, clock: app().clock })
const by = () => ({ actor: { userId: jane.id, email: 'jane@acme.test', ip: '192.0.2.1' } })

async function reasonFor(sender: string): Promise<string> {
  const { reason } = await new Greylisting({
    ...app(),
    ...app().database,
    recipients: new RecipientLookup({ ...app().database, ...app() }),
  }).decide({
    ...{ clientAddress: '192.0.2.10', clientName: null, helo: 'mx.far.test', queueId: null },
    ...{ sender, recipient: 'jane@acme.test', authentication: null, spfFailed: false },
  })
  return reason.replace('greylist.', '')
}

const events = (event: string) =>
  app()
    .database.db.selectFrom('eventLog')
    .select(['actorEmail', 'data', 'objectType'])
    .where('event', '=', event)
    .where('objectId', '=', jane.id)
    .execute()

describe('mail that is let through', () => {
  test('is accepted at the next attempt, and the sender has passed from then on', async () => {
    expect(await reasonFor('bounce-1@slow.test')).toBe('first-contact')
    await letThrough(parts(), { recipient: 'Jane@acme.test', sender: '<Bounce-2@SLOW.test>' }, by())
    expect(await reasonFor('bounce-3@slow.test')).toBe('let-through')
    app().clock.advance(8 * day)
    expect(await reasonFor('bounce-4@slow.test')).toBe('waited')
    expect(await events('mail.let-through')).toEqual([
      { actorEmail: 'jane@acme.test', data: { sender: 'bounce-2@slow.test' }, objectType: 'user' },
    ])
  })

  test('can only be for someone here', async () => {
    const letting = letThrough(parts(), { recipient: 'jane@elsewhere.test', sender: 'ann@far.test' }, by())
    await expect(letting).rejects.toThrow(NotFound)
  })
})

describe('an allowed sender', () => {
  test.each([
    ['Ann@Allowed1.test', 'ann@allowed1.test', 'ann@allowed1.test'],
    ['allowed2.test', 'allowed2.test', 'ann@allowed2.test'],
    ['.allowed3.test', '.allowed3.test', 'ann@mail.allowed3.test'],
    ['bücher.example', 'xn--bcher-kva.example', 'ann@bücher.example'],
  ])('%s is stored as %s and applies to %s, until it is removed', async (sent, entry, sender) => {
    expect(await reasonFor(sender)).toBe('first-contact')
    expect(await allowSender(parts(), jane, sent, by())).toBe(entry)
    await allowSender(parts(), jane, sent, by())
    expect(await allowedSenders(parts().db, jane.id)).toEqual([entry])
    expect(await reasonFor(sender)).toBe('allowed-by-recipient')
    expect(await reasonFor('ann@another.test')).not.toBe('allowed-by-recipient')
    await removeAllowedSender(parts(), jane, sent, by())
    app().clock.advance(36 * day)
    expect(await reasonFor(sender)).toBe('first-contact')
    for (const event of ['mail.sender-allowed', 'mail.sender-removed']) {
      const found = (await events(event)).filter(({ data }) => data?.sender === entry)
      expect(found).toMatchObject([{ actorEmail: 'jane@acme.test' }])
    }
  })

  test.each([
    '',
    'no address',
    '@acme.test',
    '.',
    '192.0.2.1',
    'a b@far.test',
    `${'a'.repeat(300)}@far.test`,
    'x\0@far.test',
  ])('cannot be %j', async (sent) => {
    await expect(allowSender(parts(), jane, sent, by())).rejects.toThrow(ValidationError)
  })

  test('that is not in the list cannot be removed', async () => {
    await expect(removeAllowedSender(parts(), jane, 'far.test', by())).rejects.toThrow(NotFound)
  })

  test('is one of at most 1,000', async () => {
    const { db, clock } = parts()
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      ...{ userId: jane.id, entry: `d${at}.test`, createdAt: clock.now() },
    }))
    await db.insertInto('mailAllowedSenders').values(rows).execute()
    await expect(allowSender(parts(), jane, 'far.test', by())).rejects.toThrow(ValidationError)
    expect(await allowSender(parts(), jane, 'd7.test', by())).toBe('d7.test')
    await db.deleteFrom('mailAllowedSenders').execute()
  })
})

describe('the command line', () => {
  const run = commandLine(app)

  test('shows, lets through and allows', async () => {
    await reasonFor('ann@shown.test')
    expect(await run('greylist:show', 'jane@acme.test', 'ann@shown.test')).toEqual([
      'jane@acme.test (user): greylisting on',
      expect.stringMatching(/^ {2}192\.0\.2\.0\/24: not accepted yet, first .* last .*, 1 attempts$/),
    ])
    expect(await run('mail:let-through', 'jane@acme.test', 'ann@shown.test')).toEqual([
      'jane@acme.test: the next message of ann@shown.test is accepted',
    ])
    expect(await run('mail:allow-sender', 'jane@acme.test', 'Shown.test')).toEqual([
      'jane@acme.test: shown.test allowed',
    ])
    expect(await reasonFor('ann@shown.test')).toBe('allowed-by-recipient')
    const lines = await run('greylist:show', 'jane@acme.test', 'ann@shown.test')
    expect(lines.slice(1, 3)).toEqual([
      '  always allowed by shown.test',
      expect.stringMatching(/^ {2}let through at /),
    ])
    expect(await run('mail:remove-allowed-sender', 'jane@acme.test', 'shown.test')).toEqual([
      'jane@acme.test: shown.test removed',
    ])
  })

  test.each([
    ['greylist:show', 'nobody@acme.test', 'ann@far.test'],
    ['mail:let-through', 'nobody@acme.test', 'ann@far.test'],
    ['mail:allow-sender', 'jane@acme.test', 'no address'],
    ['mail:remove-allowed-sender', 'jane@acme.test', 'far.test'],
  ])('says why %s %s %s is not possible', async (name, ...args) => {
    await expect(run(name, ...args)).rejects.toThrow(/\.$/)
  })
})
