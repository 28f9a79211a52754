import type { z } from 'zod'
import type { Command, RawCommand } from './cli/command.ts'
import type { HealthCheck } from './health/health-check.ts'

/** Settings by the chapter of `docs/SETTINGS.md` that describes them. */
export type SettingChapters = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>

/** Files with commands by their names, each loaded when one of its commands runs. */
export type CommandFiles<AnyCommand> = Readonly<Record<string, () => Promise<readonly AnyCommand[]>>>

/**
 * What a room declares before it starts. The command line reads it too, so it loads no calls, jobs or screens:
 * those are added by the room's `plugin.ts`. Commands are loaded one file at a time, so that each starts quickly.
 */
export interface RoomManifest<Config, Parts = unknown> {
  readonly settings?: SettingChapters
  /** Checks settings against each other; returns an error as `SETTING: sentence`, or undefined. */
  readonly contradictions?: readonly ((settings: Config) => string | undefined)[]
  readonly commands?: CommandFiles<Command<Config, Parts>>
  readonly rawCommands?: CommandFiles<RawCommand<Config>>
  readonly health?: readonly HealthCheck<Config>[]
}
