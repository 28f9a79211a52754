import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { localised } from '../../platform/i18n/localised.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { systemTenant } from '../../platform/tenant.ts'
import { portalOrigin } from '../../tenants/tenant-names.ts'
import { readTenantSite } from '../../tenants/tenant-store.ts'
import { requireWallet } from '../wallet/wallet-access.ts'
import { memberPrograms, qrPicture } from './member-programs.ts'

export interface ReferralParts {
  readonly config: Pick<SiteConfig, 'APP_URL'> & Pick<FeatureSettings, 'APP_WITH_SIGNUP'>
  readonly db: Db
  readonly clock: Clock
}

/** Referral programmes of a wallet's owner; reference api-billing-admin §10. */
export function serveReferrals(api: Api, { config, db, clock }: ReferralParts): void {
  api.serve('GET /api/v4/wallets/{id}/referral-programs', async ({ principal, params, language }) => {
    const wallet = await requireWallet(db, principal, params.id)
    const member = { tenantId: wallet.owned.tenantId, userId: wallet.ownerId }
    // without sign-up, the link would lead nowhere
    const programs = config.APP_WITH_SIGNUP ? await memberPrograms(db, clock, member) : []
    const portal = await portalOf(db, config, member.tenantId)
    const list = await Promise.all(
      programs.map(async (program) => {
        const url = `${portal}/signup/referral/${program.code}`
        return {
          id: program.id,
          name: localised(program.name, language),
          description: localised(program.description, language),
          refcount: program.referred,
          url,
          qrCode: await qrPicture(url),
        }
      }),
    )
    return { status: 'success', page: 1, list, count: list.length, hasMore: false }
  })
}

/** A tenant's sign-up URL without a trailing slash. */
async function portalOf(
  db: Db,
  { APP_URL: own }: ReferralParts['config'],
  tenantId: number,
): Promise<string> {
  const site = tenantId === systemTenant ? undefined : await readTenantSite(db, tenantId)
  const origin = site && portalOrigin(site.settings, site.hosts)
  return origin === undefined ? own : origin + new URL(own).pathname.replace(/\/+$/, '')
}
