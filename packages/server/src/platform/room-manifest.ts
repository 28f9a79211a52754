import type { z } from 'zod'
import type { Command, RawCommand } from './cli/command.ts'
import type { HealthCheck } from './health/health-check.ts'

/** Settings by the chapter of `docs/SETTINGS.md` that describes them. */
export type SettingChapters = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>

/**
 * What a room declares before it starts. The command line reads it too, so it loads no calls, jobs or screens:
 * those are added by the room's `plugin.ts`.
 */
export interface RoomManifest<Config, Parts = unknown> {
  readonly settings?: SettingChapters
  /** Checks settings against each other; returns an error as `SETTING: sentence`, or undefined. */
  readonly contradictions?: readonly ((settings: Config) => string | undefined)[]
  readonly commands?: readonly Command<Config, Parts>[]
  readonly rawCommands?: readonly RawCommand<Config>[]
  readonly health?: readonly HealthCheck<Config>[]
}
