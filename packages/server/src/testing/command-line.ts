import { askBesideServers } from '../main/command-health.ts'
import {
  commandFiles,
  loadCommand,
  rawCommandFiles,
  settingsCommandFiles,
} from '../main/commands/command-files.ts'
import { commandList } from '../main/commands/command-list.ts'
import { loadConfig } from '../main/settings/config.ts'
import { withOutput } from '../platform/cli/answer.ts'
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
    const file = commandList.find((one) => one.name === name)?.file ?? ''
    const command =
      (await loadCommand(commandFiles, file, name)) ?? (await loadCommand(rawCommandFiles, file, name))
    if (command === undefined) throw new Error(`no command ${name}`)
    const lines: string[] = []
    const { database, clock, hasher, secrets } = app()
    const print = (line: string) => lines.push(line)
    const config = loadConfig(settings)
    const parts = {
      ...{ config, database, db: database.db, clock, hasher, secrets, root: '' },
      askHealth: () => askBesideServers({ config, db: database.db, clock }),
      ...(secret !== undefined && { readSecret: async () => secret }),
    }
    await withOutput(args, print, (rest, output) => command.run({ ...parts, args: rest, ...output }))
    return lines
  }
}

/** Returns all commands as their files declare them, by name. */
export async function declaredCommands() {
  const files = [...commandFiles, ...rawCommandFiles, ...settingsCommandFiles]
  const loaded = files.map(async ([file, load]) => (await load()).map((command) => ({ ...command, file })))
  const all = (await Promise.all(loaded)).flat()
  return all.sort((one, other) => (one.name < other.name ? -1 : 1))
}
