import { askBesideServers } from '../main/command-health.ts'
import { commands, rawCommands } from '../main/rooms.ts'
import { loadConfig } from '../main/settings/config.ts'
import type { TestApp } from './test-app.ts'

/** Runs a command like an operator, on the test's database; returns the printed lines. */
export type RunCommand = (name: string, ...args: string[]) => Promise<string[]>

/** `settings`: environment of the command line; `secret`: what the operator types at a secret prompt. */
export function commandLine(
  app: () => TestApp,
  settings: Record<string, string> = {},
  secret?: string,
): RunCommand {
  return async (name, ...args) => {
    const command = [...commands, ...rawCommands].find((one) => one.name === name)
    if (command === undefined) throw new Error(`no command ${name}`)
    const lines: string[] = []
    const { database, clock, hasher, secrets } = app()
    const print = (line: string) => lines.push(line)
    const config = loadConfig(settings)
    await command.run({
      ...{ args, config, database, db: database.db, clock, hasher, secrets, root: '', print },
      askHealth: () => askBesideServers({ config, db: database.db, clock }),
      ...(secret !== undefined && { readSecret: async () => secret }),
    })
    return lines
  }
}
