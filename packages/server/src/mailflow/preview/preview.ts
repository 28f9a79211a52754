import type { PolicyPreview, PolicyPreviewInput } from '@gatehouse/contract/policies'
import type { z } from 'zod'
import { after, type Clock, day, wireDate } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { accountDelivery } from '../../users/settings/effective-settings.ts'
import { readFlag } from '../../users/settings/stored-value.ts'
import type { Policy } from '../decisions/decision-store.ts'
import { externalSenderFacts } from '../external-sender/external-sender.ts'
import { defaultGreylistSettings, greylistFacts } from '../greylist/greylist-facts.ts'
import type { Comparison, Kept } from './compare.ts'
import { previewExternal } from './external-preview.ts'
import { previewGreylist } from './greylist-preview.ts'
import { keptDecisions, ownSettings } from './preview-store.ts'

/** Days that a preview looks back, and the most messages of a policy, the newest ones. */
export const previewDays = 30
const mostMessages = 20_000

export interface PreviewParts {
  readonly db: Db
  readonly clock: Clock
}

/**
 * Computes what changed account policies would have done to the mail of the last 30 days. Users with a setting of their
 * own aren't affected. `owner`: stored settings of the account's owner.
 */
export async function previewPolicies(
  parts: PreviewParts,
  account: { readonly walletId: string; readonly owner: Readonly<Record<string, string>> },
  change: PolicyPreviewInput,
): Promise<PolicyPreview> {
  const now = accountDelivery(account.owner)
  const domains = change.externalsender_policy_domains ?? now.externalsender_domains.value
  const changes: PolicyPreview['changes'] = []
  if (change.greylist_policy !== undefined && change.greylist_policy !== now.greylist.value) {
    changes.push(shown('greylist', await greylistChange(parts, account.walletId, now.greylist.value)))
  }
  const external = {
    present: { isOn: now.externalsender.value, trustedDomains: now.externalsender_domains.value },
    changed: { isOn: change.externalsender_policy ?? now.externalsender.value, trustedDomains: domains },
  }
  if (JSON.stringify(external.present) !== JSON.stringify(external.changed)) {
    changes.push(shown('external', await externalChange(parts, account.walletId, external)))
  }
  return { days: previewDays, changes }
}

async function greylistChange({ db, clock }: PreviewParts, walletId: string, isOn: boolean) {
  const own = await ownSettings(db, walletId, 'greylist_enabled')
  const messages = await messagesOf({ db, clock }, walletId, 'greylist', greylistFacts)
  const isOnFor = (account: boolean) => (id: number | null) =>
    readFlag(id === null ? undefined : own.get(id)) ?? account
  return previewGreylist(messages, isOnFor(isOn), isOnFor(!isOn), defaultGreylistSettings)
}

interface External {
  readonly isOn: boolean
  readonly trustedDomains: readonly string[]
}

async function externalChange(
  { db, clock }: PreviewParts,
  walletId: string,
  { present, changed }: { readonly present: External; readonly changed: External },
) {
  const own = await ownSettings(db, walletId, 'externalsender_config')
  const messages = await messagesOf({ db, clock }, walletId, 'external', externalSenderFacts)
  const settings = (account: External) => (id: number | null) => ({
    ...account,
    isOn: readFlag(id === null ? undefined : own.get(id)) ?? account.isOn,
  })
  return previewExternal(messages, settings(present), settings(changed))
}

/** Decisions whose facts an older version wrote in another form are passed over. */
async function messagesOf<Facts>(
  { db, clock }: PreviewParts,
  walletId: string,
  policy: Policy,
  schema: z.ZodType<Facts>,
): Promise<Kept<Facts>[]> {
  const since = after(clock.now(), -previewDays * day)
  const rows = await keptDecisions(db, walletId, policy, since, mostMessages)
  return rows.flatMap((row) => {
    const facts = schema.safeParse(row.facts)
    return facts.success ? [{ ...row, facts: facts.data }] : []
  })
}

function shown(policy: PolicyPreview['changes'][number]['policy'], found: Comparison) {
  const examples = found.examples.map((one) => ({ ...one, at: wireDate(one.at) }))
  return { policy, messages: found.messages, more: found.more, fewer: found.fewer, examples }
}
