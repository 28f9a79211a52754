import { describe, expect, test } from 'vitest'
import { type Output, withOutput } from './answer.ts'
import { CommandFailed } from './command.ts'

/** Runs a command; returns its output. */
async function outputOf(args: readonly string[], run: (output: Output) => void): Promise<string> {
  const lines: string[] = []
  await withOutput(
    args,
    (line) => lines.push(line),
    (rest, output) => {
      expect(rest).not.toContain('--json')
      run(output)
    },
  ).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error
  })
  return lines.join('\n')
}

const listUsers = ({ print, answer }: Output) => {
  const row = answer.list()
  row({ id: 1, since: new Date(0) }, '1  since 1970')
  row({ id: 2, since: null }, ['2', '  never'])
  print('Two users.')
}

const showUser = ({ print, answer }: Output) => {
  print('Found.')
  answer.record({ id: 1, name: 'Jane' }, ['1', '  Jane'])
}

describe('people read', () => {
  test.each([
    ['the lines of a list', listUsers, '1  since 1970\n2\n  never\nTwo users.'],
    ['the lines of a record', showUser, 'Found.\n1\n  Jane'],
    ['sentences', ({ print }: Output) => print('Done.'), 'Done.'],
  ])('%s', async (_what, run, text) => {
    expect(await outputOf([], run)).toBe(text)
  })
})

describe('programs read', () => {
  test.each([
    [
      'an array',
      listUsers,
      [
        { id: 1, since: '1970-01-01T00:00:00.000Z' },
        { id: 2, since: null },
      ],
    ],
    ['an empty array', ({ answer }: Output) => void answer.list(), []],
    ['an object', showUser, { id: 1, name: 'Jane' }],
    [
      'the sentences of a command without facts',
      ({ print }: Output) => print('Done.'),
      { messages: ['Done.'] },
    ],
  ])('%s', async (_what, run, document) => {
    expect(JSON.parse(await outputOf(['--json'], run))).toEqual(document)
  })

  test('what a command answered before it failed', async () => {
    const fail = () => {
      throw new CommandFailed('A component is down.')
    }
    const answered = await outputOf(['--json'], (output) => {
      listUsers(output)
      fail()
    })
    expect(JSON.parse(answered)).toHaveLength(2)
    expect(await outputOf(['--json'], fail)).toBe('')
  })
})

test('a list with a head is CSV', async () => {
  const csv = await outputOf([], ({ answer }) => {
    const row = answer.list(['id', 'name'])
    row({ id: 1, name: '=1' }, '1 Jane', [1, '=1'])
  })
  expect(csv).toBe(`"id","name"\n1,"'=1"`)
})
