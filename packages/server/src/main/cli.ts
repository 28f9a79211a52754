import { CommandFailed, UsageError } from '../platform/cli/command.ts'
import { version } from '../platform/release/version.ts'
import { commandList } from './commands/command-list.ts'
import { completionFor } from './commands/completion.ts'
import { help } from './commands/help.ts'

/** Answers questions about the command line itself; runs everything else, which loads its code only then. */
async function main(name: string | undefined, args: readonly string[]): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (name === '--version' || name === '-V') return void print(`gatehouse ${version}`)
  if (name === 'completion') return void process.stdout.write(completionFor(args[0]))
  const command = commandList.find((candidate) => candidate.name === name)
  if (command === undefined) {
    process.stdout.write(help())
    if (name !== undefined && name !== 'help') throw new UsageError(`There is no command ${name}.`)
    return
  }
  const { runCommand } = await import('./commands/run-command.ts')
  await runCommand(command, args, print)
}

try {
  const [name, ...args] = process.argv.slice(2)
  await main(name, args)
} catch (error) {
  process.stderr.write(`${await textOf(error)}\n`)
  process.exitCode = 1
}

async function textOf(error: unknown): Promise<string> {
  if (error instanceof UsageError || error instanceof CommandFailed) return error.message
  const { describeFailure } = await import('./settings/start-errors.ts')
  return describeFailure(error)
}
