import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'
import type { Output } from './answer.ts'

/** The command was called incorrectly; the message shows the usage. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command ran and found a problem, which the message describes. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}

/** Context of a command. `Config` are the settings it reads. */
export interface CommandContext<Config = unknown> extends Output {
  readonly args: readonly string[]
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly root: string
  /** Source of secrets; absent: the terminal or standard input. */
  readonly readSecret?: (label: string) => Promise<string>
}

/**
 * An operator command. `Parts` are its dependencies beyond the context, created by rooms above the ground.
 */
export interface Command<Config = unknown, Parts = unknown> {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** Number of required arguments. */
  readonly needs: number
  readonly run: (context: CommandContext<Config> & Parts) => Promise<void>
}

/**
 * A command that runs on the database as it is: it isn't upgraded first, may be empty, and its master secret may
 * be unknown.
 */
export interface RawCommand<Config = unknown> extends Omit<Command, 'run'> {
  readonly run: (context: Omit<CommandContext<Config>, 'secrets'>) => Promise<void>
}

/** The actor if nobody is signed in. */
export const atCommandLine = { actor: {}, comment: 'command line' }
