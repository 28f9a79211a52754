import type { Db } from '../../platform/db/database.ts'
import { type Message, message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { checkOwnDomain } from '../../users/addresses/new-address.ts'
import type { DirectoryKind } from './object.ts'
import { checkName } from './object-name.ts'

/** Domain and name of a new resource or folder. */
export interface Place {
  readonly name: string
  readonly domain: string
}

/**
 * Validates name and domain of a new object whose address is derived from its id; reference api-objects §10.
 * Errors of the domain are reported at the name, as other clients expect.
 */
export async function checkPlace(
  db: Db,
  account: AccountView,
  kind: DirectoryKind,
  fields: Partial<Record<keyof Place, string | null | undefined>>,
  refused: ReadonlySet<string>,
): Promise<Checked<Place>> {
  const domain = refused.has('domain') ? {} : await checkDomain(db, account, fields.domain)
  const { namespace } = domain
  const name = await checkName(db, { kind, domain: namespace, text: fields.name })
  if ('value' in name && namespace !== undefined) return { value: { name: name.value, domain: namespace } }
  const problems = ['problem' in name ? name.problem : undefined, domain.problem]
  const told = problems.filter((one) => one !== undefined)
  return { errors: told.length > 0 ? { name: told } : {} }
}

async function checkDomain(
  db: Db,
  account: AccountView,
  text: string | null | undefined,
): Promise<{ readonly namespace?: string; readonly problem?: Message }> {
  if (text == null) return { problem: message('validation.domaininvalid') }
  return checkOwnDomain(db, accountOf(account), text)
}
