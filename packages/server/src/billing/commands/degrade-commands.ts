import type { Command } from '../../platform/cli/command.ts'
import { stateCommand } from '../../users/commands/state-commands.ts'
import { degradeSettled, undegradeSettled } from '../life-cycle/account-state.ts'

/** Operator commands for accounts that don't pay. */
export const degradeCommands: readonly Command[] = [
  stateCommand('degrade', 'reduce the services of an unpaid account', degradeSettled),
  stateCommand('undegrade', 'restore the full services of an account', undegradeSettled),
]
