import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandFailed, UsageError } from './command.ts'

/** Maximum bytes of a secret. */
const longest = 4096

/**
 * Reads a secret: twice from the terminal without echo, or the first line of standard input if that is a file
 * or a pipe. Not from arguments, which other users of the machine can see and shells log. Throws CommandFailed
 * if it is empty or the two entries differ.
 */
export async function readSecret(label: string): Promise<string> {
  const secret = process.stdin.isTTY ? await askTwice(label) : await firstLine(process.stdin)
  if (secret === '') throw new CommandFailed(`${label}: no input.`)
  return secret
}

/** Rejects a secret given as an argument. Throws UsageError. */
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

/** Prompts on the terminal without echo. */
function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  // echo is off from here on
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
