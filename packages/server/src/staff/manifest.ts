import type { WithHasher } from '../passwords/hasher.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import { adminCommand } from './commands/admin-command.ts'
import { deletionCommands } from './commands/deletion-commands.ts'
import { discountCommands } from './commands/discount-commands.ts'
import { listCommands } from './commands/list-commands.ts'
import { oneOffCommands } from './commands/one-off-commands.ts'
import { serviceCommands } from './commands/service-commands.ts'
import type { StaffCommand, StaffConfig } from './commands/staff-command.ts'
import { staffCommands } from './commands/staff-commands.ts'
import { subscriptionCommands } from './commands/subscription-commands.ts'
import { supportCommands } from './commands/support-commands.ts'
import { invitationCommands } from './commands/tenants/invitation-commands.ts'
import { offerCommands } from './commands/tenants/offer-commands.ts'
import { publicDomainCommands } from './commands/tenants/public-domain-commands.ts'
import { signupCommands } from './commands/tenants/signup-commands.ts'
import { tenantCommands } from './commands/tenants/tenant-commands.ts'
import { mailSettingsCommand } from './mail-settings/mail-settings-command.ts'
import { staffSettings } from './staff-settings.ts'

const commands: readonly StaffCommand[] = [
  adminCommand,
  ...staffCommands,
  mailSettingsCommand,
  ...supportCommands,
  ...listCommands,
  ...serviceCommands,
  ...deletionCommands,
  ...subscriptionCommands,
  ...oneOffCommands,
  ...discountCommands,
  ...tenantCommands,
  ...offerCommands,
  ...publicDomainCommands,
  ...signupCommands,
  ...invitationCommands,
]

export const staff = {
  settings: { Staff: staffSettings },
  commands,
} satisfies RoomManifest<StaffConfig, WithHasher>
