import type { Hasher } from '../../passwords/hasher.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Config } from '../settings/config.ts'

/** The command was called in a way that cannot work; the message says how it should be. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command did its work and found something wrong; the message says what. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}

export interface CommandContext {
  readonly args: readonly string[]
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly hasher: Hasher
  readonly root: string
  readonly print: (line: string) => void
  /** Where secrets come from; absent: the terminal or standard input. */
  readonly readSecret?: (label: string) => Promise<string>
}

export interface Command {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** Arguments that must be given. */
  readonly needs: number
  run(context: CommandContext): Promise<void>
}
