import { type FolderRight, folderRights } from '@gatehouse/contract/directory/folders'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sentEntries } from '../../platform/http/bodies/text-list.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { ObjectSetting } from '../objects/change-config.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { usersOfWallet, writeObject } from '../objects/object-store.ts'
import { type AclRule, anyone, readAcl, replaceRules, type StoredRule } from './acl-store.ts'

/** Formats rules for the API: `jane@example.org, read-only`. */
export function spellAcl(rules: readonly AclRule[]): string[] {
  return rules.map(({ identifier, right }) => `${identifier}, ${right}`)
}

/** `acl` of shared folders; reference api-objects §11. */
export function folderAcl(clock: Clock): ObjectSetting {
  return {
    kind: 'shared-folder',
    key: 'acl',
    check: async (db, object, sent) => {
      const checked = await checkAcl(db, object, sent)
      if ('error' in checked) return checked
      return { store: (trx, { id }) => storeAcl(trx, clock, id, checked.value) }
    },
    snapshot: async (trx, object) => ({ acl: spellAcl(await readAcl(trx, object.id)) }),
  }
}

/** Stores the rules of a folder and the time of the change. */
export async function storeAcl(
  trx: Db,
  clock: Clock,
  folderId: number,
  rules: readonly StoredRule[],
): Promise<void> {
  await replaceRules(trx, folderId, rules)
  await writeObject(trx, clock, folderId, {})
}

interface ReadRule {
  readonly index: number
  readonly identifier: string
  readonly right: FolderRight
}

async function checkAcl(
  db: Db,
  object: Pick<DirectoryObject, 'walletId'>,
  sent: unknown,
): Promise<{ readonly value: StoredRule[] } | { readonly error: Message | ReadonlyMap<number, Message> }> {
  const entries = sentEntries(sent)
  if (entries === undefined) return { error: message('directory.acl-entry-invalid') }
  const wrong = new Map<number, Message>()
  const rules: ReadRule[] = []
  for (const { index, text } of entries) {
    const rule = text === undefined ? message('directory.acl-entry-invalid') : readRule(index, text)
    if ('key' in rule) wrong.set(index, rule)
    else if (rules.some((other) => other.identifier === rule.identifier)) {
      wrong.set(index, message('directory.acl-entry-invalid'))
    } else rules.push(rule)
  }
  const named = rules.map((rule) => rule.identifier).filter((identifier) => identifier !== anyone)
  const users = await usersOfWallet(db, object.walletId, named)
  const value: StoredRule[] = []
  for (const { index, identifier, right } of rules) {
    const userId = identifier === anyone ? 0 : users.get(identifier)
    if (userId === undefined) wrong.set(index, message('directory.notalocaluser'))
    else value.push({ userId, right })
  }
  return wrong.size > 0 ? { error: wrong } : { value }
}

/** Parses an entry; returns the rule or an error. Identifiers are case-insensitive. */
function readRule(index: number, text: string): ReadRule | Message {
  const [name = '', permission = '', ...more] = text.split(',').map((part) => part.trim().toLowerCase())
  const right = folderRights.find((one) => one === permission)
  if (right === undefined || name === '' || more.length > 0) return message('directory.acl-entry-invalid')
  if (name === anyone) return { index, identifier: anyone, right }
  const address = parseEmailAddress(name)
  return address === undefined
    ? message('validation.emailinvalid')
    : { index, identifier: address.full, right }
}
