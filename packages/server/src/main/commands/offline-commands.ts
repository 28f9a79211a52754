import { verifyExport } from '../../data-export/verify/verify-command.ts'
import { loadConfig } from '../settings/config.ts'
import type { SettingsCommand } from '../settings/settings-commands.ts'

/** Commands about files, which need no database. */
export const offlineCommands: readonly SettingsCommand[] = [
  {
    name: 'export:verify',
    usage: 'export:verify <file> [--keys=<file or URL>]',
    summary:
      'check that an export is complete and unchanged, and the chain of its ledger; with --keys=<file> without a network; needs no database',
    needs: 1,
    run: (context) => verifyExport(context, () => loadConfig(context.env).APP_URL),
  },
]
