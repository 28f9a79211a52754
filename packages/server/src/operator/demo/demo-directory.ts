import type { FolderType } from '@gatehouse/contract/directory/folders'
import { storeAcl } from '../../directory/folders/acl.ts'
import { changeMembers } from '../../directory/groups/member-store.ts'
import { type Creation, createObjectIn } from '../../directory/objects/create-object.ts'
import type { DirectoryKind } from '../../directory/objects/object.ts'
import { usersOfWallet, writeObject } from '../../directory/objects/object-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { readAccountViewIn } from '../../users/account-view/account-view-store.ts'
import { demoFolders, demoLists, demoResources } from './demo-data.ts'
import { demoUser } from './demo-store.ts'

const ownerEmail = 'owner@acme.test'
const domain = 'acme.test'

/** Adds lists, resources and one folder of each type to the account with a custom domain. */
export async function makeDemoDirectory(trx: Db, clock: Clock): Promise<void> {
  const account = await ownerView(trx)
  // an operator's own catalogue may not have them
  const skus = await readSkus(trx, account.user.tenantId)
  const isSold = (kind: DirectoryKind) => skus.some((sku) => sku.title === kind && sku.active)
  const make = async (
    kind: DirectoryKind,
    facts: {
      name: string
      email: (id: number) => string
      folderType?: FolderType
      aliases?: readonly string[]
    },
    fill: (id: number) => Promise<void>,
  ) => {
    if (!isSold(kind)) return
    const { name, email, folderType, aliases = [] } = facts
    const creation: Creation = {
      account,
      actor: { email: ownerEmail },
      object: { kind, domain, name, email, ...(folderType && { folderType }) },
      aliases,
      domainField: 'domain',
      onTaken: () => ({}),
      fill: async (_, id) => {
        await fill(id)
        return {}
      },
    }
    await createObjectIn(trx, clock, creation)
  }
  for (const { email, name, members, senders } of demoLists) {
    await make('group', { name, email: () => email }, async (id) => {
      await changeMembers(trx, id, { removed: [], added: members })
      await writeObject(trx, clock, id, { senderPolicy: [...senders] })
    })
  }
  for (const { name, decidedBy } of demoResources) {
    await make('resource', { name, email: (id) => `resource-${id}@${domain}` }, async (id) => {
      if (decidedBy === null) return
      const invitationOwnerId = (await userIds(trx, account, [decidedBy])).get(decidedBy) ?? null
      await writeObject(trx, clock, id, { invitationPolicy: 'manual', invitationOwnerId })
    })
  }
  for (const { type, name, aliases, acl } of demoFolders) {
    const facts = { name, email: (id: number) => `${type}-${id}@${domain}`, folderType: type, aliases }
    await make('shared-folder', facts, async (id) => {
      const users = await userIds(trx, account, Object.keys(acl))
      const rules = Object.entries(acl).map(([who, right]) => ({ userId: users.get(who) ?? 0, right }))
      await storeAcl(trx, clock, id, rules)
    })
  }
}

async function ownerView(trx: Db): Promise<AccountView> {
  const { id } = await demoUser(trx, ownerEmail)
  const view = await readAccountViewIn(trx, id)
  if (view === undefined) throw new RangeError(`${ownerEmail} has not been created`)
  return view
}

function userIds(trx: Db, account: AccountView, emails: readonly string[]) {
  return usersOfWallet(trx, account.wallet.id, emails)
}
