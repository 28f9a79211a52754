import type { Output } from '../../platform/cli/answer.ts'
import { CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { unreachable } from './check-connections.ts'
import { type Environment, loadConfig, settings } from './config.ts'
import { settingsDocument } from './settings-document.ts'
import { checkStart, describeChecks } from './start-check.ts'

/** A command that runs without a database, such as one about settings. */
export interface SettingsCommand {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly needs: number
  run(context: SettingsContext): void | Promise<void>
}

interface SettingsContext extends Output {
  readonly env: Environment
  readonly args: readonly string[]
}

export const settingsCommands: readonly SettingsCommand[] = [
  {
    name: 'config:show',
    usage: 'config:show',
    summary: 'show all settings with their values; secrets are hidden; needs no database',
    needs: 0,
    run({ env, answer }) {
      const row = answer.list()
      const values: Record<string, unknown> = { ...loadConfig(env) }
      for (const [name, schema] of Object.entries(settings.shape)) {
        const isHidden = isSecret(name) && values[name] !== undefined
        const description = schema.description ?? ''
        const value = isHidden ? '(hidden)' : spell(values[name])
        row({ name, value, description }, `${name}=${value}  # ${description}`)
      }
    },
  },
  {
    name: 'config:check',
    usage: 'config:check [--connect]',
    summary:
      'check the settings as a starting server does; with --connect also try the database, mail server, object store and payment providers',
    needs: 0,
    async run({ env, args, print }) {
      const unknown = args.find((arg) => arg !== '--connect')
      if (unknown !== undefined) throw new UsageError(`There is no option ${unknown}.`)
      const checks = checkStart(env)
      if (checks.refusals.length > 0) throw new CommandFailed(describeChecks(checks))
      const away = args.length > 0 ? await unreachable(loadConfig(env)) : []
      if (away.length > 0) {
        const all = describeChecks({ refusals: [], warnings: [...checks.warnings, ...away] })
        throw new CommandFailed(all)
      }
      print(checks.warnings.length > 0 ? describeChecks(checks) : 'All settings are valid.')
    },
  },
  {
    name: 'config:document',
    usage: 'config:document',
    summary: 'print docs/SETTINGS.md: every setting with its default and description; needs no database',
    needs: 0,
    run({ print }) {
      print(settingsDocument().trimEnd())
    },
  },
]

/** Server URLs can contain passwords too. */
function isSecret(name: string): boolean {
  return /SECRET|PASSWORD$|PASSPHRASE$|KEY$|TOKEN$|URL$/.test(name) && name !== 'APP_URL'
}

/** Formats a setting's value as in the environment. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}
