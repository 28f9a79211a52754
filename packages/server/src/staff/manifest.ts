import type { WithHasher } from '../passwords/hasher.ts'
import type { RoomManifest } from '../platform/room-manifest.ts'
import type { StaffConfig } from './commands/staff-command.ts'
import { staffSettings } from './staff-settings.ts'

export const staff = {
  settings: { Staff: staffSettings },
  commands: {
    'admin-command': async () => [(await import('./commands/admin-command.ts')).adminCommand],
    'deletion-commands': async () => (await import('./commands/deletion-commands.ts')).deletionCommands,
    'discount-commands': async () => (await import('./commands/discount-commands.ts')).discountCommands,
    'list-commands': async () => (await import('./commands/list-commands.ts')).listCommands,
    'one-off-commands': async () => (await import('./commands/one-off-commands.ts')).oneOffCommands,
    'service-commands': async () => (await import('./commands/service-commands.ts')).serviceCommands,
    'staff-commands': async () => (await import('./commands/staff-commands.ts')).staffCommands,
    'subscription-commands': async () =>
      (await import('./commands/subscription-commands.ts')).subscriptionCommands,
    'support-commands': async () => (await import('./commands/support-commands.ts')).supportCommands,
    'invitation-commands': async () =>
      (await import('./commands/tenants/invitation-commands.ts')).invitationCommands,
    'offer-commands': async () => (await import('./commands/tenants/offer-commands.ts')).offerCommands,
    'public-domain-commands': async () =>
      (await import('./commands/tenants/public-domain-commands.ts')).publicDomainCommands,
    'signup-commands': async () => (await import('./commands/tenants/signup-commands.ts')).signupCommands,
    'tenant-commands': async () => (await import('./commands/tenants/tenant-commands.ts')).tenantCommands,
    'mail-settings-command': async () => [
      (await import('./mail-settings/mail-settings-command.ts')).mailSettingsCommand,
    ],
  },
} satisfies RoomManifest<StaffConfig, WithHasher>
