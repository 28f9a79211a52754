import type { BillingConfig } from '../billing/billing-settings.ts'
import type { FileSettings } from '../files/file-settings.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import type { CatalogueSetting } from '../subscriptions/catalogue/catalogue-file.ts'

/** The settings required for preparing a database and its demo. */
export type OperatorConfig = IdentityConfig &
  BillingConfig &
  CatalogueSetting &
  FileSettings &
  Pick<BackendSettings, 'GROUPWARE_BACKEND'>
