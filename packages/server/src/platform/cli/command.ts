import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'

/** The command was called in a way that cannot work; the message says how it should be. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command did its work and found something wrong; the message says what. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}

/** What a command runs with. `Config` is the part of the settings that it reads. */
export interface CommandContext<Config = unknown> {
  readonly args: readonly string[]
  readonly config: Config
  readonly database: Database
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly root: string
  readonly print: (line: string) => void
  /** Where secrets come from; absent: the terminal or standard input. */
  readonly readSecret?: (label: string) => Promise<string>
}

/** A command of the operator. `Parts` is what it needs beside the context, built by rooms above the ground. */
export interface Command<Config = unknown, Parts = unknown> {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** Arguments that must be given. */
  readonly needs: number
  readonly run: (context: CommandContext<Config> & Parts) => Promise<void>
}

/** Who acts where nobody is signed in. */
export const atCommandLine = { actor: {}, comment: 'command line' }
