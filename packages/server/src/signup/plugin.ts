import type { NewAccountMandates } from '../billing/auto-payment/new-account-mandate.ts'
import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import type { Brands } from '../tenants/brand.ts'
import { serveSignup } from './routes.ts'
import { SignupCodes } from './signup-code.ts'
import { handleSignupMails } from './signup-mail.ts'
import type { SignupSettings } from './signup-settings.ts'

type Config = IdentityConfig & BillingConfig & SignupSettings

/** Signing up. */
export function addSignup(
  ground: Ground<Config>,
  identity: Identity,
  { brands, mandates }: { readonly brands: Brands; readonly mandates: NewAccountMandates },
): void {
  const { api, config, db, clock, jobs, post, purge, secrets } = ground
  const codes = new SignupCodes(db, clock, secrets, config.SIGNUP_CODE_EXPIRY)
  handleSignupMails(jobs, db, codes, post)
  purge.add(codes)
  serveSignup(api, {
    ...ground,
    ...identity,
    codes,
    mandates,
    tenantId: config.APP_TENANT_ID,
    tenantAt: async ({ variant, hostname }) =>
      (await brands.of({ variant, hostname, cookie: undefined })).tenantId,
    currency: config.APP_CURRENCY,
  })
}
