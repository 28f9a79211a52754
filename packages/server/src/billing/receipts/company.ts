import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { BillingConfig } from '../billing-settings.ts'
import { type Company, companyLines } from './issue-receipts.ts'

/** Issuer of receipts, from the installation's settings. */
export function companyOf(
  config: Pick<SiteConfig, 'APP_NAME'> &
    Pick<BillingConfig, 'COMPANY_NAME' | 'COMPANY_ADDRESS' | 'COMPANY_DETAILS' | 'COMPANY_EMAIL'>,
): Company {
  return {
    service: config.APP_NAME,
    name: config.COMPANY_NAME ?? config.APP_NAME,
    address: companyLines(config.COMPANY_ADDRESS),
    details: companyLines(config.COMPANY_DETAILS),
    email: config.COMPANY_EMAIL ?? null,
  }
}
