import { accountLifecycle } from '../account-lifecycle/manifest.ts'
import { billing } from '../billing/manifest.ts'
import { content } from '../content/manifest.ts'
import { directory } from '../directory/manifest.ts'
import { files } from '../files/manifest.ts'
import { mailAccess } from '../mail-access/manifest.ts'
import { meetings } from '../meetings/manifest.ts'
import { oauth } from '../oauth/manifest.ts'
import { operator } from '../operator/manifest.ts'
import type { AskHealth } from '../operator/operations/health.ts'
import type { WithHasher } from '../passwords/hasher.ts'
import { passwords } from '../passwords/manifest.ts'
import type { Command } from '../platform/cli/command.ts'
import type { HealthCheck } from '../platform/health/health-check.ts'
import { platform } from '../platform/manifest.ts'
import { provisioning } from '../provisioning/manifest.ts'
import { sessions } from '../sessions/manifest.ts'
import { signup } from '../signup/manifest.ts'
import { staff } from '../staff/manifest.ts'
import { subscriptions } from '../subscriptions/manifest.ts'
import { users } from '../users/manifest.ts'
import type { Config } from './settings/config.ts'

/** What every room declares, in the order of the floors. Settings, commands and health checks are read from here. */
export const rooms = [
  platform,
  // 1: who somebody is
  users,
  passwords,
  sessions,
  // 2: money and the back end
  provisioning,
  subscriptions,
  billing,
  // 3: the products
  directory,
  files,
  meetings,
  oauth,
  mailAccess,
  signup,
  content,
  // 4: what concerns all of them
  accountLifecycle,
  staff,
  operator,
] as const

/** What some commands need beside their context. */
export interface CommandParts extends WithHasher {
  readonly askHealth: AskHealth
}

/** Everything that an operator does by hand. */
export const commands = rooms.flatMap((room): readonly Command<Config, CommandParts>[] =>
  'commands' in room ? room.commands : [],
)

/** How each part of the installation is found to do. */
export const healthChecks = rooms.flatMap((room): readonly HealthCheck<Config>[] =>
  'health' in room ? room.health : [],
)
