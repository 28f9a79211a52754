import type { RoomManifest } from '../platform/room-manifest.ts'
import type { IdentityConfig } from '../sessions/plugin.ts'
import { billingChecks } from './billing-checks.ts'
import { type BillingConfig, billingSettings } from './billing-settings.ts'
import { billingCommands } from './commands/billing-commands.ts'
import { degradeCommands } from './commands/degrade-commands.ts'
import { mandateCommands } from './commands/mandate-commands.ts'
import { paymentCommands } from './commands/payment-commands.ts'
import { vatReportCommand } from './commands/vat-report-command.ts'
import { paymentSettingsProblem } from './payments/payment-settings.ts'

export const billing = {
  settings: { 'Billing and payments': billingSettings },
  contradictions: [paymentSettingsProblem],
  commands: [
    ...billingCommands,
    ...paymentCommands,
    ...mandateCommands,
    vatReportCommand,
    ...degradeCommands,
  ],
  health: billingChecks,
} satisfies RoomManifest<IdentityConfig & BillingConfig>
