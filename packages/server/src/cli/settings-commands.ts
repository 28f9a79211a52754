import { type Environment, loadConfig, settings } from '../config.ts'
import { checkStart, describeChecks } from '../start-check.ts'
import { CommandFailed } from './command.ts'

/** A command about the settings alone: it runs without a database. */
export interface SettingsCommand {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly needs: 0
  run(context: { readonly env: Environment; readonly print: (line: string) => void }): void
}

export const settingsCommands: readonly SettingsCommand[] = [
  {
    name: 'config:show',
    usage: 'config:show',
    summary: 'the settings that exist, with their values; secrets are hidden; needs no database',
    needs: 0,
    run({ env, print }) {
      const values: Record<string, unknown> = { ...loadConfig(env) }
      for (const [name, schema] of Object.entries(settings.shape)) {
        const isHidden = isSecret(name) && values[name] !== undefined
        print(`${name}=${isHidden ? '(hidden)' : spell(values[name])}  # ${schema.description ?? ''}`)
      }
    },
  },
  {
    name: 'config:check',
    usage: 'config:check',
    summary: 'what a server would refuse or warn of at its start; needs no database',
    needs: 0,
    run({ env, print }) {
      const checks = checkStart(env)
      if (checks.refusals.length > 0) throw new CommandFailed(describeChecks(checks))
      print(checks.warnings.length > 0 ? describeChecks(checks) : 'All settings are right.')
    },
  },
]

/** Addresses of servers hold passwords too. */
function isSecret(name: string): boolean {
  return /SECRET|PASSWORD$|KEY$|TOKEN$|URL$/.test(name) && name !== 'APP_URL'
}

/** A setting's value as one would write it. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}
