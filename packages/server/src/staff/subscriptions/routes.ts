import type { Api } from '../../platform/http/api.ts'
import { localised } from '../../platform/i18n/localised.ts'
import { previewChange } from '../../subscriptions/prices/preview.ts'
import { skusOfObject } from '../../subscriptions/skus-of-object.ts'
import { subscriptionsOf } from '../../subscriptions/subscriptions-of.ts'
import { actorOf } from '../../users/actor.ts'
import type { StaffParts } from '../staff-parts.ts'
import { changeSubject, wantedBy } from './change.ts'
import { canSubscribe, requireSubject, requireSubscriber } from './subject.ts'

/** Subscriptions of any customer object, in the cockpits. */
export function serveStaffSubscriptions(api: Api, parts: StaffParts): void {
  const { db, clock, config } = parts

  api.serve('GET /api/v4/subscriptions/{type}/{id}', async ({ principal, params, language }) => {
    const subject = await requireSubject(parts, principal, params.type, params.id)
    const { object, tenantId } = subject
    const reader = { isController: true, isStaff: true, language }
    const [skus, held] = await Promise.all([
      skusOfObject(db, { object, tenantId, ...reader }),
      subscriptionsOf(db, object.type, [object.id]),
    ])
    const wallet = (subject.user ?? subject.owner)?.wallet
    const name = wallet?.discount_description
    return {
      skus,
      held: held.get(object.id) ?? {},
      currency: wallet?.currency ?? config.APP_CURRENCY,
      discount: wallet?.discount ?? null,
      discount_description: name == null ? null : localised(name, language),
      canChange: canSubscribe(parts, principal, subject),
    }
  })

  api.serveLate('POST /api/v4/subscriptions/{type}/{id}/preview', async (context) => {
    const { principal, params, language } = context
    const subject = await requireSubject(parts, principal, params.type, params.id)
    const owner = requireSubscriber(parts, principal, subject)
    return previewChange(db, clock, wantedBy(principal, subject, owner, context.read().skus, language))
  })

  api.serveLate('PUT /api/v4/subscriptions/{type}/{id}', async (context) => {
    const { principal, params, language, ip, t } = context
    const subject = await requireSubject(parts, principal, params.type, params.id)
    const owner = requireSubscriber(parts, principal, subject)
    const { skus, reason } = context.read()
    const by = { actor: actorOf(principal, { ip }), comment: reason }
    await changeSubject(parts, wantedBy(principal, subject, owner, skus, language), subject, by)
    return { status: 'success', message: t('staff.subscriptions-changed') }
  })
}
