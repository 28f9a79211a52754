import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Runs a program in its own terminal (Debian: bsdutils). */
const terminal = '/usr/bin/script'
const module = new URL('./read-secret.ts', import.meta.url).pathname

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-secret-'))
  const entry = join(folder, 'entry.ts')
  program = join(folder, 'program.mjs')
  await writeFile(
    entry,
    `import { readSecret } from ${JSON.stringify(module)}
     readSecret('New password').then(
       (secret) => console.log('read ' + Buffer.from(secret).toString('hex')),
       (error) => console.log('failed ' + error.message))`,
  )
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const hex = (text: string) => Buffer.from(text).toString('hex')

/** Runs a program, types each text when the prompt before it appears, and returns the output. */
function run(command: string, args: readonly string[], typed: readonly (readonly [string, string])[]) {
  return new Promise<string>((resolve) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let shown = ''
    const waiting = [...typed]
    const next = () => {
      const [first] = waiting
      if (first === undefined || !shown.includes(first[0])) return
      waiting.shift()
      child.stdin.write(first[1])
      if (waiting.length === 0 && first[0] === '') child.stdin.end()
      next()
    }
    child.stdout.on('data', (data) => {
      shown += String(data)
      next()
    })
    child.once('close', () => resolve(shown))
    next()
  })
}

describe('a secret from standard input', () => {
  const pipe = (text: string) => run(process.execPath, [program], [['', text]])

  test('is the first line, including spaces', async () => {
    expect(await pipe(' a secret \r\nmore\n')).toBe(`read ${hex(' a secret ')}\n`)
    expect(await pipe('Grüße')).toBe(`read ${hex('Grüße')}\n`)
  })

  test('is rejected if empty', async () => {
    expect(await pipe('\n')).toBe('failed New password: no input.\n')
  })
})

describe.skipIf(!existsSync(terminal))(`a secret from a terminal (${terminal})`, () => {
  const type = (...typed: (readonly [string, string])[]) =>
    run(terminal, ['-qec', `${process.execPath} ${program}`, '/dev/null'], typed)

  test('is requested twice and never shown', async () => {
    const shown = await type(['New password: ', 'open-sesame\r'], ['New password again: ', 'open-sesame\r'])
    expect(shown).toContain(`read ${hex('open-sesame')}`)
    expect(shown).not.toContain('open-sesame')
  })

  test('is rejected if the second entry differs', async () => {
    const shown = await type(['New password: ', 'open-sesame\r'], ['New password again: ', 'open-sesam\r'])
    expect(shown).toContain('failed The entries do not match.')
  })

  test('can be cancelled', async () => {
    expect(await type(['New password: ', '\u0003'])).toContain('failed Cancelled.')
  })
})
