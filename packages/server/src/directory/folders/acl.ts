import { type FolderRight, folderRights } from '@gatehouse/contract/directory/folders'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { sentEntries } from '../../platform/http/bodies/text-list.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { ObjectSetting } from '../objects/change-config.ts'
import type { DirectoryObject } from '../objects/object.ts'
import { usersOfWallet, writeObject } from '../objects/object-store.ts'

/** Stands for everybody in a rule; stored as user 0. */
const anyone = 'anyone'

/** Who may do what in a folder. */
export interface AclRule {
  /** `anyone` or the address of a user. */
  readonly identifier: string
  readonly right: FolderRight
}

/** The rules of a folder, that for anyone first, then by address. Those of deleted users do not count. */
export async function readAcl(db: Db, folderId: number): Promise<AclRule[]> {
  const { rows } =
    await sql<AclRule>`select case r.user_id when 0 then ${anyone} else u.email end as identifier,
      r."right" from folder_acl r left join users u on u.id = r.user_id
    where r.folder_id = ${folderId} and (r.user_id = 0 or (u.id is not null and u.deleted_at is null))
    order by r.user_id <> 0, u.email`.execute(db)
  return rows
}

/** Rules as the wire has them: `jane@example.org, read-only`. */
export function spellAcl(rules: readonly AclRule[]): string[] {
  return rules.map(({ identifier, right }) => `${identifier}, ${right}`)
}

type StoredRule = { readonly userId: number; readonly right: FolderRight }

/** `acl` of shared folders; reference api-objects §11. */
export function folderAcl(clock: Clock): ObjectSetting<StoredRule[]> {
  return {
    kind: 'shared-folder',
    key: 'acl',
    check: checkAcl,
    snapshot: async (trx, object) => ({ acl: spellAcl(await readAcl(trx, object.id)) }),
    write: async (trx, object, rules) => {
      await replaceRules(trx, object.id, rules)
      await writeObject(trx, clock, object.id, {})
    },
  }
}

/** Rights of users who are deleted stay as they are: they come back with the user. */
async function replaceRules(trx: Db, folderId: number, rules: readonly StoredRule[]): Promise<void> {
  await sql`delete from folder_acl r where r.folder_id = ${folderId}
    and not exists (select from users u where u.id = r.user_id and u.deleted_at is not null)`.execute(trx)
  if (rules.length === 0) return
  await trx
    .insertInto('folder_acl')
    .values(rules.map(({ userId, right }) => ({ folder_id: folderId, user_id: userId, right })))
    .execute()
}

interface ReadRule {
  readonly index: number
  readonly identifier: string
  readonly right: FolderRight
}

async function checkAcl(
  db: Db,
  object: DirectoryObject,
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

/** One entry, or what is wrong with it. Identifiers are the same whatever their case. */
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
