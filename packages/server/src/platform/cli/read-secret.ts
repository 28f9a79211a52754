import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandFailed, UsageError } from './command.ts'

/** Bytes of a secret at most. */
const longest = 4096

/**
 * Reads a secret: from the terminal without showing it, twice; or the first line of standard input where that is a
 * file or a pipe. Arguments are no place for one: other users of the machine see them, and shells write them down.
 * Throws CommandFailed when nothing comes, or two different texts do.
 */
export async function readSecret(label: string): Promise<string> {
  const secret = process.stdin.isTTY ? await askTwice(label) : await firstLine(process.stdin)
  if (secret === '') throw new CommandFailed(`${label}: no input.`)
  return secret
}

/** Refuses a secret that was given as an argument. Throws UsageError. */
export function refuseSecretArgument(given: string | undefined, command: string): void {
  if (given === undefined) return
  throw new UsageError(
    `${command} doesn't accept a password as an argument, because other users of this machine could read it. Enter it at the prompt or pass it on standard input.`,
  )
}

async function askTwice(label: string): Promise<string> {
  const first = await ask(`${label}: `)
  if ((await ask(`${label} again: `)) !== first) throw new CommandFailed('The entries do not match.')
  return first
}

/** Asks on the terminal; what is typed goes nowhere. */
function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  // from now on the terminal shows nothing of what is typed
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => reject(new CommandFailed('Cancelled.')))
    lines.question('', (answer) => {
      resolve(answer)
      lines.close()
      process.stderr.write('\n')
    })
  })
}

async function firstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const part of input) {
    text += String(part)
    if (text.includes('\n') || text.length > longest) break
  }
  const [line = ''] = text.split('\n')
  return line.replace(/\r$/, '')
}
