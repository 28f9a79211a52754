import type { BillingConfig } from '../billing/billing-settings.ts'
import type { WithHasher } from '../passwords/hasher.ts'
import type { CountrySettings } from '../platform/country-database/country-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import { createCommands } from './commands/create-commands.ts'
import { ownerCommands } from './commands/owner-commands.ts'
import { provisioningCommands } from './commands/provisioning-commands.ts'
import { restoreCommands } from './commands/restore-commands.ts'
import { suspendCommands } from './commands/suspend-commands.ts'

export const directory = {
  commands: [
    ...createCommands,
    ...suspendCommands,
    ...restoreCommands,
    ...ownerCommands,
    ...provisioningCommands,
  ],
} satisfies RoomManifest<IdentityConfig & BillingConfig & CountrySettings & BackendSettings, WithHasher>
