import { type Command, CommandFailed } from '../platform/cli/command.ts'
import { NotPrepared, rotateSecrets } from '../platform/installation-keys/rotate-secrets.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { sealedColumns } from './sealed-columns.ts'

/** The master secret, and what it seals. */
export const secretCommands: readonly Command<SiteConfig>[] = [
  {
    name: 'secrets:rotate',
    usage: 'secrets:rotate',
    summary:
      'seal everything with the newest secret of SECRET_KEY, after the servers were restarted with it; can be interrupted and run again',
    needs: 0,
    async run({ config, db, print }) {
      const { resealed, unreadable } = await rotateSecrets(db, config, sealedColumns).catch(explain)
      print(`${resealed} values were sealed anew.`)
      if (unreadable > 0)
        print(`${unreadable} values are of a secret that was lost before and stay as they are.`)
      print('SECRET_KEY needs its first secret only; restart the servers without the others.')
    },
  },
]

function explain(error: unknown): never {
  if (!(error instanceof NotPrepared)) throw error
  throw new CommandFailed(
    'No server has started with the first secret of SECRET_KEY yet. Restart all of them with this SECRET_KEY, then run this again.',
  )
}
