import { accountLifecycle } from '../account-lifecycle/manifest.ts'
import { billing } from '../billing/manifest.ts'
import { content } from '../content/manifest.ts'
import { dataExport } from '../data-export/manifest.ts'
import { directory } from '../directory/manifest.ts'
import { files } from '../files/manifest.ts'
import { mailAccess } from '../mail-access/manifest.ts'
import { mailFilters } from '../mail-filters/manifest.ts'
import { mailImport } from '../mail-import/manifest.ts'
import { mailflow } from '../mailflow/manifest.ts'
import { meetings } from '../meetings/manifest.ts'
import { oauth } from '../oauth/manifest.ts'
import { operator } from '../operator/manifest.ts'
import { passwords } from '../passwords/manifest.ts'
import type { HealthCheck } from '../platform/health/health-check.ts'
import { platform } from '../platform/manifest.ts'
import { provisioning } from '../provisioning/manifest.ts'
import { sessions } from '../sessions/manifest.ts'
import { signup } from '../signup/manifest.ts'
import { staff } from '../staff/manifest.ts'
import { subscriptions } from '../subscriptions/manifest.ts'
import { users } from '../users/manifest.ts'
import { webhooks } from '../webhooks/manifest.ts'
import type { Config } from './settings/config.ts'

/** The declarations of all rooms, by floor: settings, commands and health checks. */
export const rooms = [
  platform,
  // 1: identity
  users,
  passwords,
  sessions,
  // 2: billing and the back end
  provisioning,
  subscriptions,
  billing,
  // 3: products
  directory,
  files,
  meetings,
  oauth,
  mailAccess,
  mailFilters,
  mailImport,
  mailflow,
  signup,
  content,
  webhooks,
  // 4: cross-cutting features
  accountLifecycle,
  dataExport,
  staff,
  operator,
] as const

/** All health checks. */
export const healthChecks = rooms.flatMap((room): readonly HealthCheck<Config>[] =>
  'health' in room ? room.health : [],
)
