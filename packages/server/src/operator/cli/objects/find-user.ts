import { HttpError } from '../../../platform/http/errors.ts'
import { createTranslator } from '../../../platform/i18n/translator.ts'
import { Jobs } from '../../../platform/jobs/jobs.ts'
import { Tokens } from '../../../sessions/tokens/tokens.ts'
import type { AccountView } from '../../../users/account-view/account-view.ts'
import { readAnyAccountView } from '../../../users/account-view/account-view-store.ts'
import { parseEmailAddress } from '../../../users/addresses/email-address.ts'
import { Retention } from '../../../users/retention.ts'
import { type CommandContext, UsageError } from '../command.ts'
import { silent } from '../silent.ts'
import { userOfAddress } from './look-up-store.ts'

/** Who acts where nobody is signed in. */
export const atCommandLine = { actor: {}, comment: 'command line' }

/** What acts of staff need, without a server. */
export function staffParts({ config, database, db, clock }: CommandContext) {
  const life = { access: config.OAUTH_TOKEN_EXPIRY, refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY }
  return {
    config,
    db,
    clock,
    tokens: new Tokens(db, database.pool, clock, life),
    retention: new Retention(clock, config.RETENTION_DAYS),
    jobs: new Jobs(database.pool, silent),
  }
}

/** The user of an address, deleted or not. Throws UsageError. */
export async function findView({ db }: CommandContext, text: string | undefined): Promise<AccountView> {
  const email = parseEmailAddress(text ?? '')?.full
  const row = email === undefined ? undefined : await userOfAddress(db, email)
  const view = row && (await readAnyAccountView(db, row.id))
  if (view === undefined) throw new UsageError(`There is no user ${text}.`)
  return view
}

/** What the API would answer is what a command says, in English. */
export function said(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  const t = createTranslator('en')
  const fields =
    'fields' in error && typeof error.fields === 'object' ? Object.values({ ...error.fields }) : []
  const [first] = fields.flat()
  const isText = typeof first === 'object' && first !== null && 'key' in first
  // fields of these calls have one sentence each
  const text = isText ? (first as HttpError['text']) : error.text
  throw new UsageError(t(text.key, text.params))
}
