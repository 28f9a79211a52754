import { createHash } from 'node:crypto'
import { type AccountDocument, type StateKind, stateKinds } from '@gatehouse/contract/directory/plans'
import { userFieldNames } from '@gatehouse/contract/directory/user-fields'
import { domainsOfWallet } from '../../directory/domains/domain-store.ts'
import { spellAcl } from '../../directory/folders/acl.ts'
import { folderAliases } from '../../directory/folders/folder-aliases.ts'
import type { DirectoryObject } from '../../directory/objects/object.ts'
import { objectsOfWallet } from '../../directory/objects/object-store.ts'
import { spellInvitationPolicy } from '../../directory/resources/invitation-policy.ts'
import type { Room } from '../../meetings/rooms/room.ts'
import { roomsOfWallet } from '../../meetings/rooms/room-store.ts'
import type { Db } from '../../platform/db/database.ts'
import { readBillingFacts } from '../../subscriptions/billing-facts-store.ts'
import { costBesideCeiling } from '../../subscriptions/entitlement-store.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { readMonths } from '../../users/settings/stored-value.ts'
import { userConfig } from '../../users/settings/user-config.ts'
import { type Catalogue, packageOfUnits, readCatalogue } from '../export/users-csv.ts'
import {
  domainUnits,
  membersOfLists,
  rulesOfFolders,
  type UserStateRow,
  usersOfAccount,
} from './state-store.ts'

/** Fields of an object by their names in a document. Fields without a value are null. */
export type Values = Readonly<Record<string, unknown>>

/** An object of an account as a document describes it. */
export interface StateObject {
  readonly id: number
  /** What identifies it among the objects of its kind. */
  readonly key: string
  readonly label: string
  readonly values: Values
  /** For users. */
  readonly role?: string | null
}

/** The present state of an account. */
export type AccountState = Readonly<Record<StateKind, readonly StateObject[]>>

/** The key of the policies, of which an account has one set. */
export const policyKey = 'policies'

/** Reads everything of an account that a document can describe. */
export async function readAccountState(db: Db, account: AccountView): Promise<AccountState> {
  const walletId = account.wallet.id
  const catalogue = await readCatalogue(db, account.user.tenantId)
  const users = await usersOfAccount(db, walletId)
  const owner = account.owner?.id ?? account.user.id
  const objects = await objectsOfWallet(db, walletId)
  const members = await membersOfLists(db, walletId)
  const rules = await rulesOfFolders(db, walletId)
  const units = await domainUnits(db, walletId)
  const of = (kind: DirectoryObject['kind']) => objects.filter((object) => object.kind === kind)
  return {
    domains: (await domainsOfWallet(db, walletId)).map(({ id, namespace, spfWhitelist }) => ({
      id,
      key: namespace,
      label: namespace,
      values: {
        name: namespace,
        package: packageOfUnits(catalogue, units.get(id) ?? {}).title,
        spf_whitelist: [...spfWhitelist],
      },
    })),
    users: users.map((user) => userState(user, catalogue)),
    lists: of('group').map((list) => ({
      id: list.id,
      key: list.email,
      label: list.email,
      values: {
        email: list.email,
        name: list.name,
        members: members.get(list.id) ?? [],
        sender_policy: [...list.senderPolicy],
        members_may_send: list.membersMaySend,
      },
    })),
    resources: of('resource').map((resource) => ({
      ...placed(resource),
      values: {
        name: resource.name,
        domain: resource.domain,
        invitation_policy: spellInvitationPolicy(resource),
      },
    })),
    folders: of('shared-folder').map((folder) => ({
      ...placed(folder),
      values: {
        name: folder.name,
        domain: folder.domain,
        type: folder.folderType ?? 'mail',
        aliases: folderAliases(folder),
        acl: spellAcl(rules.get(folder.id) ?? []),
      },
    })),
    rooms: (await roomsOfWallet(db, walletId)).map(roomState),
    policies: [policyState(account.ownerConfig, owner)],
  }
}

/** Returns the key of a resource or folder. */
export function placeKey(name: string, domain: string): string {
  return `${domain}/${name.toLowerCase()}`
}

function placed(object: DirectoryObject): Pick<StateObject, 'id' | 'key' | 'label'> {
  const { id, name, domain } = object
  return { id, key: placeKey(name, domain), label: `${name} (${domain})` }
}

function userState(
  { id, email, role, settings, aliases, units }: UserStateRow,
  catalogue: Catalogue,
): StateObject {
  const { title, quota } = packageOfUnits(catalogue, units)
  const config = userConfig({ config: settings, ownerConfig: {} })
  return {
    id,
    key: email,
    label: email,
    role,
    values: {
      email,
      ...Object.fromEntries(userFieldNames.map((name) => [name, settings[name] ?? null])),
      aliases: [...aliases],
      package: title,
      quota,
      settings: {
        greylist_enabled: config.greylist_enabled,
        itip_config: config.itip_config,
        externalsender_config: config.externalsender_config,
        guam_enabled: config.guam_enabled,
        limit_geo: config.limit_geo,
      },
    },
  }
}

function roomState({ id, name, description, locked, nomedia, moderators }: Room): StateObject {
  return {
    id,
    key: name.toLowerCase(),
    label: description ?? name,
    values: { name, description, locked, nomedia, moderators: moderators.map((one) => one.email) },
  }
}

function policyState(ownerConfig: Readonly<Record<string, string>>, ownerId: number): StateObject {
  const config = userConfig({ config: ownerConfig, ownerConfig })
  return {
    id: ownerId,
    key: policyKey,
    label: policyKey,
    values: {
      greylist_policy: config.greylist_policy,
      itip_policy: config.itip_policy,
      externalsender_policy: config.externalsender_policy,
      externalsender_policy_domains: config.externalsender_policy_domains,
      password_policy: config.password_policy,
      max_password_age: readMonths(ownerConfig.max_password_age),
      staff_access_policy: config.staff_access_policy,
      second_factor_policy: config.second_factor_policy,
    },
  }
}

/** Returns the state as a document. A plan for it is empty. */
export function documentOf(state: AccountState): AccountDocument {
  const list = (kind: StateKind) => state[kind].map(({ values }) => withoutNulls(values))
  // the values have the names and types of the document
  return {
    version: 1,
    ...Object.fromEntries(stateKinds.map((kind) => [kind, list(kind)])),
    policies: list('policies')[0],
  } as AccountDocument
}

/** What isn't set is omitted, so that documents are short. */
function withoutNulls(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null) return []
      const isGroup = typeof value === 'object' && !Array.isArray(value)
      return [[name, isGroup ? withoutNulls(value as Values) : value]] // neither null nor a list
    }),
  )
}

/**
 * Returns a hash of everything that a plan and its price depend on: the account's objects, its terms, and the
 * prices of the catalogue.
 */
export async function fingerprintOf(db: Db, account: AccountView, state: AccountState): Promise<string> {
  const { id: walletId } = account.wallet
  const facts = await readBillingFacts(db, walletId)
  const limit = await costBesideCeiling(db, walletId)
  const skus = await readSkus(db, account.user.tenantId)
  const terms = [facts?.currency, facts?.discount, limit?.ceiling, skus]
  return createHash('sha256')
    .update(JSON.stringify([state, terms]))
    .digest('base64url')
}
