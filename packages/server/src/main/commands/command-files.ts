import type { AskHealth } from '../../operator/operations/health.ts'
import type { WithHasher } from '../../passwords/hasher.ts'
import type { Command, RawCommand } from '../../platform/cli/command.ts'
import type { CommandFiles } from '../../platform/room-manifest.ts'
import { rooms } from '../rooms.ts'
import type { Config } from '../settings/config.ts'
import type { SettingsCommand } from '../settings/settings-commands.ts'

/** Dependencies of some commands beyond their context. */
export interface CommandParts extends WithHasher {
  readonly askHealth: AskHealth
}

export type AnyCommand = Command<Config, CommandParts>
export type AnyRawCommand = RawCommand<Config>

/** The files with the commands of all rooms. */
export const commandFiles = new Map(
  rooms.flatMap((room): [string, () => Promise<readonly AnyCommand[]>][] =>
    'commands' in room ? Object.entries<CommandFiles<AnyCommand>[string]>(room.commands) : [],
  ),
)

/** The files with commands that run on a database as it is. */
export const rawCommandFiles = new Map(
  rooms.flatMap((room): [string, () => Promise<readonly AnyRawCommand[]>][] =>
    'rawCommands' in room ? Object.entries<CommandFiles<AnyRawCommand>[string]>(room.rawCommands) : [],
  ),
)

/** The files with commands that need no database. */
export const settingsCommandFiles = new Map<string, () => Promise<readonly SettingsCommand[]>>([
  ['settings-commands', async () => (await import('../settings/settings-commands.ts')).settingsCommands],
  ['offline-commands', async () => (await import('./offline-commands.ts')).offlineCommands],
  ['plan-commands', async () => (await import('../../bulk/desired-state/plan-commands.ts')).planCommands],
])

/** Returns a command of a file; undefined if the file or the command is unknown. */
export async function loadCommand<Loaded extends { readonly name: string }>(
  files: ReadonlyMap<string, () => Promise<readonly Loaded[]>>,
  file: string,
  name: string,
): Promise<Loaded | undefined> {
  const commands = (await files.get(file)?.()) ?? []
  return commands.find((command) => command.name === name)
}
