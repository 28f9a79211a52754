import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { declaredCommands } from '../../testing/command-line.ts'
import { commandFiles, rawCommandFiles, settingsCommandFiles } from './command-files.ts'
import { commandList } from './command-list.ts'

const root = join(import.meta.dirname, '../../../../..')
const file = join(import.meta.dirname, 'commands.json')

test('the list contains every command; update it with `npm test -- command-list -u`', async () => {
  const listed = (await declaredCommands()).map(({ name, usage, summary, needs, file: from }) => ({
    ...{ name, usage, summary, needs, file: from },
  }))
  await expect(formatted(JSON.stringify(listed))).toMatchFileSnapshot(file)
  // loads the code of all rooms
}, 60_000)

function formatted(text: string): string {
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${file}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
}

test('commands have unique names', () => {
  const names = commandList.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('files with commands have unique names', async () => {
  const { rooms } = await import('../rooms.ts')
  const names = rooms.flatMap((room) => [
    ...('commands' in room ? Object.keys(room.commands) : []),
    ...('rawCommands' in room ? Object.keys(room.rawCommands) : []),
  ])
  expect(names.length + settingsCommandFiles.size).toBe(
    new Set([...commandFiles.keys(), ...rawCommandFiles.keys(), ...settingsCommandFiles.keys()]).size,
  )
})
