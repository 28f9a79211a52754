import { commandList } from './command-list.ts'

/** How operators call the command line of this installation. */
const program = process.env.GATEHOUSE_COMMAND ?? 'npm run gatehouse --'

/** Commands that the command line answers itself. */
export const ownCommands = [
  {
    name: 'completion',
    usage: 'completion <bash|zsh|fish>',
    summary: 'print a script that completes commands in a shell',
  },
]

/** Returns the list of all commands. */
export function help(): string {
  const all = [...commandList, ...ownCommands]
  const width = Math.max(...all.map((command) => command.usage.length))
  const lines = all.map((command) => `  ${command.usage.padEnd(width + 2)}${command.summary}`)
  return `${program} <command>\n\n${lines.join('\n')}\n`
}
