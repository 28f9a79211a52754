import { commands } from '../operator/cli/commands.ts'
import { loadConfig } from '../operator/settings/config.ts'
import type { TestApp } from './test-app.ts'

/** Runs a command as an operator does, over the test's database; gives the lines that it prints. */
export type RunCommand = (name: string, ...args: string[]) => Promise<string[]>

/** `settings`: the environment of the command line; `secret`: what the operator types when asked for a secret. */
export function commandLine(
  app: () => TestApp,
  settings: Record<string, string> = {},
  secret?: string,
): RunCommand {
  return async (name, ...args) => {
    const command = commands.find((one) => one.name === name)
    if (command === undefined) throw new Error(`no command ${name}`)
    const lines: string[] = []
    const { database, clock, hasher, secrets } = app()
    const print = (line: string) => lines.push(line)
    const config = loadConfig(settings)
    await command.run({
      ...{ args, config, database, db: database.db, clock, hasher, secrets, root: '', print },
      ...(secret !== undefined && { readSecret: async () => secret }),
    })
    return lines
  }
}
