import type { RoomManifest } from '../platform/room-manifest.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import { billingChecks } from './billing-checks.ts'
import { type BillingConfig, billingSettings } from './billing-settings.ts'
import { paymentSettingsProblem } from './payments/payment-settings.ts'

export const billing = {
  settings: { 'Billing and payments': billingSettings },
  contradictions: [paymentSettingsProblem],
  commands: {
    'billing-commands': async () => (await import('./commands/billing-commands.ts')).billingCommands,
    'degrade-commands': async () => (await import('./commands/degrade-commands.ts')).degradeCommands,
    'mandate-commands': async () => (await import('./commands/mandate-commands.ts')).mandateCommands,
    'payment-commands': async () => (await import('./commands/payment-commands.ts')).paymentCommands,
    'vat-report-command': async () => [(await import('./commands/vat-report-command.ts')).vatReportCommand],
  },
  health: billingChecks,
} satisfies RoomManifest<IdentityConfig & BillingConfig>
