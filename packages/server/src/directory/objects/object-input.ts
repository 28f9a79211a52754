import type { Db } from '../../platform/db/database.ts'
import { type FieldMessages, type Message, message } from '../../platform/http/errors.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { checkOwnDomain } from '../../users/addresses/new-address.ts'
import type { DirectoryKind } from './object.ts'
import { checkName } from './object-name.ts'

/** Where a new resource or folder is to be. */
export interface PlaceInput {
  /** Undefined: it is wrong. */
  readonly name: string | undefined
  readonly domain: string | undefined
  readonly errors: Readonly<Record<string, FieldMessages>>
}

/**
 * Checks name and domain of a new object whose address is made from its number; reference api-objects §10. What
 * is wrong with the domain is told at the name, as other clients expect.
 */
export async function checkPlace(
  db: Db,
  account: AccountView,
  kind: DirectoryKind,
  input: Readonly<Record<string, unknown>>,
): Promise<PlaceInput> {
  const domain = await checkDomain(db, account, input.domain)
  const name = await checkName(db, { kind, domain: domain.namespace, text: input.name })
  const problems = [name.problem, domain.problem].filter((one) => one !== undefined)
  return {
    name: name.name,
    domain: domain.namespace,
    errors: problems.length > 0 ? { name: problems } : {},
  }
}

async function checkDomain(
  db: Db,
  account: AccountView,
  text: unknown,
): Promise<{ readonly namespace?: string; readonly problem?: Message }> {
  if (text == null) return { problem: message('validation.domaininvalid') }
  // what is no text or far too long is the schema's to say
  if (typeof text !== 'string' || text.length > 1024) return {}
  return checkOwnDomain(db, accountOf(account), text)
}
