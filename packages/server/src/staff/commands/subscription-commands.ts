import type { PricePreview } from '@gatehouse/contract/billing/subscriptions'
import { type SubscribedType, subscribedTypes } from '@gatehouse/contract/staff/staff-subscriptions'
import { findDomain, findObject } from '../../directory/commands/find-object.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { readArguments, readNumber } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import { findPackage } from '../../subscriptions/commands/find-package.ts'
import { countObjectUnits } from '../../subscriptions/entitlement-store.ts'
import { subscriptionRights } from '../../subscriptions/policy.ts'
import { previewChange, previewNew } from '../../subscriptions/prices/preview.ts'
import { readSkus } from '../../subscriptions/sku-store.ts'
import { requirePaid } from '../../users/access.ts'
import { type AccountView, accountStatus, ownedUser } from '../../users/account-view/account-view.ts'
import { readAnyAccountView } from '../../users/account-view/account-view-store.ts'
import { findAccount, findView } from '../../users/commands/find-user.ts'
import { changeSubject, wantedBy } from '../subscriptions/change.ts'
import type { Subject } from '../subscriptions/subject.ts'
import { readFacts } from './offer-facts.ts'
import type { StaffCommand, StaffContext } from './staff-command.ts'

const operatorOf = (tenantId: number) => ({ userId: 0, tenantId, role: 'admin' }) as const

/** Finds an object by kind and address or name, with its payer. Throws UsageError. */
async function findSubject(
  context: StaffContext,
  type: SubscribedType,
  name: string,
): Promise<{ readonly subject: Subject; readonly owner: AccountView }> {
  const { object, ...facts } = await readSubject(context, type, name)
  const owner = facts.ownerId === null ? undefined : await readAnyAccountView(context.db, facts.ownerId)
  if (owner === undefined) throw new UsageError(`${name} does not belong to an account.`)
  try {
    requirePaid(owner)
  } catch (error) {
    said(error)
  }
  const { tenantId, user } = facts
  return { subject: { object, tenantId, user, owner, isDeleted: false }, owner }
}

async function readSubject(context: StaffContext, type: SubscribedType, name: string) {
  const { db } = context
  if (type === 'user') {
    const user = await findView(context, name)
    const { id, tenantId, deletedAt } = user.user
    if (deletedAt !== null) throw new UsageError(`There is no user ${name}.`)
    return { object: { type, id }, tenantId, ownerId: user.owner?.id ?? null, user }
  }
  const found =
    type === 'domain' ? await findDomain(db, name, false) : await findObject(db, type, name, false)
  const { id, tenantId, ownerId } = found
  return { object: { type, id }, tenantId, ownerId, user: undefined }
}

/** Applies `<sku>=<units>` arguments to an object's subscriptions. Throws UsageError. */
async function readWanted(
  { db }: StaffContext,
  { object, tenantId }: Subject,
  words: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const skus = await readSkus(db, tenantId)
  const facts = readFacts(
    words,
    skus.map(({ title }) => title),
  )
  const told = skus.flatMap(({ id, title }) => {
    const units = readNumber(facts.get(title))
    return units === undefined ? [] : [[id, units] as const]
  })
  return { ...Object.fromEntries(await countObjectUnits(db, object)), ...Object.fromEntries(told) }
}

/** Parses the arguments that both commands share. Throws UsageError. */
async function readChange(context: StaffContext) {
  const { words } = readArguments(context.args, [])
  const [kind, name = '', ...rest] = words
  const type = subscribedTypes.find((one) => one === kind)
  if (type === undefined) throw new UsageError(`${kind} is not one of ${subscribedTypes.join(', ')}.`)
  const { subject, owner } = await findSubject(context, type, name)
  const wanted = await readWanted(
    context,
    subject,
    rest.filter((word) => word.includes('=')),
  )
  const operator = operatorOf(subject.tenantId)
  return {
    name,
    subject,
    request: wantedBy(operator, subject, owner, wanted, 'en'),
    reason: rest.filter((word) => !word.includes('=')).join(' '),
  }
}

function answerPreview({ answer }: StaffContext, preview: PricePreview): void {
  const { monthly, dueNow, currency } = preview
  answer.record({ ...preview }, [
    ...preview.lines.map(({ title, quantity, monthly: cents }) => `${title}  ${quantity}  ${cents}`),
    `a month  ${monthly.now} -> ${monthly.next} ${currency}  due now ${dueNow}`,
  ])
}

/** Changes an object's subscriptions, and previews what a change costs. */
export const subscriptionCommands: readonly StaffCommand[] = [
  {
    name: 'subscription:set',
    usage: `subscription:set <${subscribedTypes.join('|')}> <address or name> <reason> <sku>=<units> …`,
    summary: 'set the units of SKUs of an object, 0 to remove one; other SKUs are not changed',
    needs: 4,
    async run(context) {
      const { name, subject, request, reason } = await readChange(context)
      if (reason.length < 3 || reason.length > 1024) {
        throw new UsageError('The reason must have 3 to 1024 characters.')
      }
      await changeSubject(context, request, subject, { actor: {}, comment: reason }).catch(said)
      context.print(`${name}: subscriptions changed.`)
    },
  },
  {
    name: 'subscription:preview',
    usage: `subscription:preview <${subscribedTypes.join('|')}> <address or name> <sku>=<units> …`,
    summary: 'show what a change of subscriptions would cost, in cents; changes nothing',
    needs: 3,
    async run(context) {
      const { request } = await readChange(context)
      answerPreview(context, await previewChange(context.db, context.clock, request).catch(said))
    },
  },
  {
    name: 'user:preview',
    usage: 'user:preview --owner=<address> --package=<title>',
    summary:
      'show what a new user with a package would cost the account of an owner, in cents; changes nothing',
    needs: 0,
    async run(context) {
      const { db, clock } = context
      const { options } = readArguments(context.args, ['owner', 'package'])
      const account = await findAccount(context, options.owner)
      const { tenantId } = account.user
      const request = {
        ...{ tenantId, walletId: account.wallet.id, language: 'en' as const, wanted: null, isOffered: true },
        packageId: await findPackage(context, tenantId, options.package),
        actor: subscriptionRights(operatorOf(tenantId), ownedUser(account), accountStatus(account)),
      } as const
      answerPreview(context, await previewNew(db, clock, { ...request, type: 'user' }).catch(said))
    },
  },
]
