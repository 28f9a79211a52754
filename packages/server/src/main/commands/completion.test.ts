import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { commandList } from './command-list.ts'
import { completionFor } from './completion.ts'
import { parseUsage } from './usage.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-completion-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('in bash', () => {
  /** Returns what bash offers after a line. */
  function offered(line: string): string[] {
    const file = join(folder, 'completion.bash')
    writeFileSync(file, completionFor('bash'))
    const script = `source ${file}; COMP_LINE=$1; COMP_POINT=\${#1}; _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`
    const output = execFileSync('bash', ['-uc', script, 'bash', line], { encoding: 'utf8' })
    return output.split('\n').filter((word) => word !== '')
  }

  test.each([
    ['gatehouse user:cre', ['create', 'create-service']],
    ['gatehouse compl', ['completion']],
    ['gatehouse job:list w', ['waiting']],
    ['gatehouse user:set-role jane@example.test ', ['admin', 'reseller', 'none']],
    ['gatehouse user:list --status=sus', ['suspended']],
    ['gatehouse user:list --own', ['--owner=']],
    ['gatehouse user:list --tenant=0 --j', ['--json']],
    ['gatehouse user:create jane', []],
    ['gatehouse nonsense ', []],
  ])('offers for “%s”', (line, words) => {
    expect(offered(line)).toEqual(words)
  })

  test('offers every command', () => {
    const words = offered('gatehouse ')
    expect(commandList.filter(({ name }) => !words.includes(name))).toEqual([])
  })
})

test.each([
  ['zsh', '/usr/bin/zsh'],
  ['fish', '/usr/bin/fish'],
])('the script for %s names every command and is valid if the shell is installed', (shell, program) => {
  const script = completionFor(shell)
  const missing = commandList.filter(({ name }) => !script.includes(shell === 'zsh' ? `${name}/--)` : name))
  expect(missing).toEqual([])
  if (!existsSync(program)) return
  const file = join(folder, shell)
  writeFileSync(file, script)
  execFileSync(program, ['-n', file])
})

test('other shells are refused', () => {
  expect(() => completionFor('csh')).toThrow(UsageError)
  expect(() => completionFor(undefined)).toThrow(UsageError)
})

test('a usage text tells fixed values from placeholders', () => {
  const { options, positions } = parseUsage(
    'x:y <a|b> <address or name> <name> [c | d] <none> [--kind=one|two] [--owner=<address>] [--flag] [--all=yes]',
  )
  expect(positions).toEqual([['a', 'b'], [], [], ['c', 'd'], []])
  const known = options.map(({ name, takesValue, values }) => [name, takesValue, values])
  expect(known).toEqual([
    ['kind', true, ['one', 'two']],
    ['owner', true, []],
    ['flag', false, []],
    ['all', true, ['yes']],
    ['json', false, []],
  ])
})
