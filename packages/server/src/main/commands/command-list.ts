import commands from './commands.json'

/** A command as help and completion show it, and the file that runs it. */
export interface ListedCommand {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** Number of required arguments. */
  readonly needs: number
  /** Name of the file in the manifest of its room. */
  readonly file: string
}

/**
 * All commands by name, known without loading any of them. `npm test -- command-list -u` writes the list again from
 * the commands of the rooms.
 */
export const commandList: readonly ListedCommand[] = commands
