import { formatPrice } from '@gatehouse/contract/billing/price'
import type { Language } from '@gatehouse/contract/language'
import { listPrograms } from '../../billing/referrals/program-store.ts'
import type { Api } from '../../platform/http/api.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { requireTenant } from '../../tenants/require-tenant.ts'
import type { TenantRow } from '../../tenants/tenant-store.ts'
import { actorOf } from '../../users/actor.ts'
import type { OfferParts } from './change-catalogue.ts'
import { changeProgram, createProgram } from './change-program.ts'
import { readText } from './localised-input.ts'

export interface ProgramParts extends OfferParts {
  readonly config: Pick<SiteConfig, 'APP_CURRENCY'>
}

/** Referral programmes of tenants; reference api-billing-admin §10. */
export function servePrograms(api: Api, parts: ProgramParts): void {
  const { db } = parts
  const moneyOf =
    ({ currency }: TenantRow, language: Language) =>
    (cents: number) =>
      formatPrice(cents, currency ?? parts.config.APP_CURRENCY, language)

  api.serve('GET /api/v4/tenants/{id}/referral-programs', async ({ principal, params, language }) => {
    const { id, currency } = await requireTenant(db, principal, params.id)
    const list = (await listPrograms(db, id)).map((program) => {
      const { discountId, discount, award, threshold, active, accounts, awarded } = program
      return {
        ...{ id: program.id, name: localised(program.name, language), names: program.name },
        ...{ descriptions: program.description, award, threshold, active, accounts, awarded },
        discount: discountId === null ? null : { id: discountId, percent: discount ?? 0 },
        revision: String(program.revision),
      }
    })
    return { currency: currency ?? parts.config.APP_CURRENCY, list }
  })

  api.serveLate(
    'POST /api/v4/tenants/{id}/referral-programs',
    async ({ principal, params, read, t, ip, language }) => {
      const tenant = await requireTenant(db, principal, params.id)
      const { name, description, discount, ...facts } = read()
      const input = {
        ...{ ...facts, name: readText(name), description: readText(description) },
        discountId: discount ?? null,
      }
      const change = {
        tenantId: tenant.id,
        actor: actorOf(principal, { ip }),
        money: moneyOf(tenant, language),
      }
      const id = await createProgram(parts, change, input)
      return { status: 'success', message: t('tenant-offer.program-created'), id }
    },
  )

  api.serveLate(
    'PUT /api/v4/tenants/{id}/referral-programs/{program}',
    async ({ principal, params, read, t, ip, language }) => {
      const tenant = await requireTenant(db, principal, params.id)
      const { name, description, discount, revision, ...facts } = read()
      const input = {
        ...{ ...facts, name: readText(name), description: readText(description) },
        discountId: discount ?? null,
      }
      const by = { actor: actorOf(principal, { ip }), revision, money: moneyOf(tenant, language) }
      await changeProgram(parts, { tenantId: tenant.id, ...by }, params.program, input)
      return { status: 'success', message: t('tenant-offer.program-changed') }
    },
  )
}
