import type { Command } from '../../platform/cli/command.ts'
import { stateCommand } from '../../users/commands/state-commands.ts'
import { degradeSettled, undegradeSettled } from '../life-cycle/account-state.ts'

/** What becomes of an account that doesn't pay. */
export const degradeCommands: readonly Command[] = [
  stateCommand('degrade', 'leave an account that has not paid with the least', degradeSettled),
  stateCommand('undegrade', 'give an account everything back', undegradeSettled),
]
