import type { BillingConfig } from '../billing/billing-settings.ts'
import type { WithHasher } from '../passwords/hasher.ts'
import type { CountrySettings } from '../platform/country-database/country-settings.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'

export const directory = {
  commands: {
    'create-commands': async () => (await import('./commands/create-commands.ts')).createCommands,
    'owner-commands': async () => (await import('./commands/owner-commands.ts')).ownerCommands,
    'provisioning-commands': async () =>
      (await import('./commands/provisioning-commands.ts')).provisioningCommands,
    'restore-commands': async () => (await import('./commands/restore-commands.ts')).restoreCommands,
    'suspend-commands': async () => (await import('./commands/suspend-commands.ts')).suspendCommands,
  },
} satisfies RoomManifest<IdentityConfig & BillingConfig & CountrySettings & BackendSettings, WithHasher>
