import type { z } from 'zod'
import type { Command } from './cli/command.ts'
import type { HealthCheck } from './health/health-check.ts'

/** Settings by the chapter of `docs/SETTINGS.md` that describes them. */
export type SettingChapters = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>

/**
 * What a room declares before anything of it runs. It is read by the command line too, so it loads no call, job or
 * screen: those are added by the room's `plugin.ts`.
 */
export interface RoomManifest<Config, Parts = unknown> {
  readonly settings?: SettingChapters
  /** What the settings say against each other, each as `SETTING: sentence`; undefined: nothing. */
  readonly contradictions?: readonly ((settings: Config) => string | undefined)[]
  readonly commands?: readonly Command<Config, Parts>[]
  readonly health?: readonly HealthCheck<Config>[]
}
