import { userStatus } from '@gatehouse/contract/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUuid } from '../platform/ids.ts'
import { makeAlias, makeDomain, makeTenant, makeTenantHost, makeUser } from '../testing/factories.ts'
import { type FileOwner, makeFileOwner } from '../testing/files.ts'
import { useTestApp } from '../testing/test-app.ts'
import { transition } from '../users/user-state.ts'

const app = useTestApp()
let owner: FileOwner

beforeAll(async () => {
  owner = await makeFileOwner(app(), { settings: { first_name: 'Olga', last_name: 'Owner' } })
})

async function share(id: string, user: string, permissions = 'read-only', by = owner): Promise<string> {
  const { status, body } = await by.call(`POST /api/v4/fs/${id}/permissions`, { body: { user, permissions } })
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
  return body.id as string // of a success response
}

/** Returns the share e-mails sent to an address, newest first. */
async function told(address: string) {
  const mails = (await app().mails()).filter((mail) => mail.to.some((to) => to.address === address))
  return mails.filter((mail) => mail.text.includes('/file/share-'))
}

describe('the recipient of a share', () => {
  test('is notified once of the sharer, the item and the URL', async () => {
    const reader = await makeUser(app(), { settings: { first_name: 'Rita' } })
    const id = await owner.upload('plan.txt', 'x')
    const shareId = await share(id, reader.email)
    const [mail, ...more] = await told(reader.email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      subject: 'Olga Owner shared “plan.txt” with you',
      replyTo: { address: owner.user.email },
    })
    expect(mail?.text).toContain('Hello Rita,')
    expect(mail?.text).toContain(`Olga Owner (${owner.user.email}) shared the file “plan.txt” with you.`)
    expect(mail?.text).toContain('You can view and download it.')
    expect(mail?.text).toContain(`http://localhost:8000/file/${shareId}`)
    await owner.call(`PUT /api/v4/fs/${id}/permissions/${shareId}`, {
      body: { user: reader.email, permissions: 'read-write' },
    })
    expect(await told(reader.email)).toHaveLength(1)
  })

  test.each([
    ['de', 'Olga Owner hat „Pläne“ mit Ihnen geteilt', 'den Ordner „Pläne“', 'ansehen und bearbeiten'],
    ['fr', 'Olga Owner a partagé « Pläne » avec vous', 'le dossier « Pläne »', 'consulter et modifier'],
    ['it', 'Olga Owner ha condiviso «Pläne»', 'la cartella «Pläne»', 'visualizzare e modificare'],
  ])('is notified in their own language (%s)', async (language, subject, what, rights) => {
    const reader = await makeUser(app())
    await app().database.db.updateTable('users').set({ language }).where('id', '=', reader.id).execute()
    await share(await owner.collection('Pläne'), reader.email, 'read-write')
    const [mail] = await told(reader.email)
    expect(mail?.subject).toBe(subject)
    expect(mail?.text).toContain(what)
    expect(mail?.text).toContain(rights)
  })

  test('is notified at the shared address, including an alias', async () => {
    const reader = await makeUser(app())
    await makeAlias(app(), reader, 'share-mail-alias@example.test')
    await share(await owner.upload('alias.txt', 'x'), 'share-mail-alias@example.test')
    expect(await told('share-mail-alias@example.test')).toHaveLength(1)
    expect(await told(reader.email)).toEqual([])
  })

  test('is notified when a share is transferred to them', async () => {
    const [first, second] = [await makeUser(app()), await makeUser(app())]
    const id = await owner.upload('passed-on.txt', 'x')
    const shareId = await share(id, first.email)
    expect(await told(first.email)).toHaveLength(1)
    const body = { user: second.email, permissions: 'read-only' }
    expect((await owner.call(`PUT /api/v4/fs/${id}/permissions/${shareId}`, { body })).status).toBe(200)
    expect(await told(second.email)).toHaveLength(1)
    expect(await told(first.email)).toHaveLength(1)
  })

  test('receives the e-mail from their own tenant, with its name and sender', async () => {
    const tenantId = await makeTenant(app(), 17)
    await makeDomain(app(), 'partner.test', { tenantId })
    await makeTenantHost(app(), tenantId, 'https://files.partner.test', {
      'app.name': 'Partner Files',
      'mail.sender.address': 'hello@partner.test',
    })
    const local = await makeFileOwner(app(), { tenantId })
    const reader = await makeUser(app(), { tenantId })
    await share(await local.upload('local.txt', 'x'), reader.email, 'read-only', local)
    const [mail] = await told(reader.email)
    expect(mail?.from.address).toBe('hello@partner.test')
    expect(mail?.text).toContain('https://files.partner.test/file/share-')
    expect(mail?.text).toContain('The Partner Files team')
  })

  test('receives item names truncated and on a single line', async () => {
    const reader = await makeUser(app())
    await share(await owner.upload(`${'buy '.repeat(60)}now`, 'x'), reader.email)
    const [mail] = await told(reader.email)
    expect(mail?.subject.length).toBeLessThan(200)
    expect(mail?.text).not.toContain('now')
  })
})

describe('no notification is sent', () => {
  test('for a share or an item deleted before the e-mail was sent', async () => {
    const reader = await makeUser(app())
    const [one, other] = [await owner.upload('gone-1.txt', 'x'), await owner.upload('gone-2.txt', 'x')]
    const shareId = await share(one, reader.email)
    await share(other, reader.email)
    await owner.call(`DELETE /api/v4/fs/${one}/permissions/${shareId}`)
    await owner.call(`DELETE /api/v4/fs/${other}`)
    expect(await told(reader.email)).toEqual([])
  })

  test('to an unknown address or one of another tenant', async () => {
    const tenantId = await makeTenant(app(), 18)
    const foreign = await makeUser(app(), { tenantId })
    const id = await owner.upload('outside.txt', 'x')
    await share(id, 'nobody-at-all@elsewhere.test')
    await share(id, foreign.email)
    expect(await told('nobody-at-all@elsewhere.test')).toEqual([])
    expect(await told(foreign.email)).toEqual([])
  })

  test('while the files of the owner or the account of the recipient are disabled', async () => {
    const reader = await makeUser(app())
    const closed = await makeFileOwner(app())
    await share(await closed.upload('closed.txt', 'x'), reader.email, 'read-only', closed)
    const { db } = app().database
    await db.transaction().execute((trx) => transition(trx, app().clock, closed.user.id, 'suspend'))
    expect(await told(reader.email)).toEqual([])
    const suspended = await makeUser(app(), { status: userStatus.new | userStatus.suspended })
    await share(await owner.upload('for-suspended.txt', 'x'), suspended.email)
    expect(await told(suspended.email)).toEqual([])
  })

  test('beyond fifty per day, even if someone repeatedly shares and unshares', async () => {
    const reader = await makeUser(app())
    const { db } = app().database
    const sent = (name: string) => ({
      ...{ id: newUuid(), name, subject: 'x', recipients: [reader.email], outcome: 'sent' as const },
      ...{ error: null, userId: reader.id, createdAt: app().clock.now() },
    })
    const other = Array.from({ length: 50 }, () => sent('SecurityNotice'))
    await db.insertInto('mailLog').values(other).execute()
    await share(await owner.upload('often-1.txt', 'x'), reader.email)
    expect(await told(reader.email)).toHaveLength(1)
    const shares = Array.from({ length: 49 }, () => sent('FileShared'))
    await db.insertInto('mailLog').values(shares).execute()
    await share(await owner.upload('often-2.txt', 'x'), reader.email)
    expect(await told(reader.email)).toHaveLength(1)
    app().clock.advance(24 * 3600 + 1)
    const later = await makeFileOwner(app())
    await share(await later.upload('often-3.txt', 'x'), reader.email, 'read-only', later)
    expect(await told(reader.email)).toHaveLength(2)
  })
})
