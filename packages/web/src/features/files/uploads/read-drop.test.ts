import { expect, test } from 'vitest'
import { entriesOf, readChosen, readDrop } from './read-drop.ts'

type Tree = { [name: string]: Tree | string | Error }

// The parts of the browser's file system API a drop needs; the test environment has none.
function entry(name: string, node: Tree | string | Error): FileSystemEntry {
  if (typeof node === 'string') {
    return {
      name,
      isFile: true,
      isDirectory: false,
      file: (got) => got(new File([node], name)),
    } as FileSystemFileEntry
  }
  const fail = (_: unknown, refused?: (error: DOMException) => void) => refused?.(new DOMException('no'))
  if (node instanceof Error)
    return { name, isFile: true, isDirectory: false, file: fail } as FileSystemFileEntry
  const children = Object.entries(node).map(([child, inside]) => entry(child, inside))
  return {
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      let at = 0
      return {
        readEntries: (got: (some: FileSystemEntry[]) => void) => {
          got(children.slice(at, at + 100))
          at += 100
        },
      }
    },
  } as FileSystemDirectoryEntry
}

const dropOf = (...entries: (FileSystemEntry | null)[]) => {
  const items = entries.map((one) => ({ kind: 'file', webkitGetAsEntry: () => one }))
  const files = [new File(['x'], 'plain.txt')]
  return { items: [...items, { kind: 'string' }], files } as unknown as DataTransfer // as read from a drop
}

test('reads folders recursively, including empty ones', async () => {
  const drop = entriesOf(
    dropOf(entry('a.txt', 'A'), entry('trip', { 'b.txt': 'B', day: { 'c.txt': 'C' }, nothing: {} })),
  )
  const found = await readDrop(drop)
  expect(found.files.map(({ file, path }) => [...path, file.name].join('/'))).toEqual([
    'a.txt',
    'trip/b.txt',
    'trip/day/c.txt',
  ])
  expect(found.emptyFolders).toEqual([['trip', 'nothing']])
  expect(found.unreadable).toEqual([])
})

test('reads a folder completely if it has more entries than a reader returns at once', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`${n}.txt`, 'x']))
  const found = await readDrop(entriesOf(dropOf(entry('many', many))))
  expect(found.files).toHaveLength(250)
})

test("reports what can't be read and reads the rest", async () => {
  let nested: Tree = { 'end.txt': 'x' }
  for (let depth = 0; depth < 70; depth++) nested = { d: nested }
  const found = await readDrop(
    entriesOf(dropOf(entry('box', { locked: new Error(), 'b.txt': 'B' }), entry('deep', nested))),
  )
  expect(found.files.map(({ file }) => file.name)).toEqual(['b.txt'])
  expect(found.unreadable[0]).toBe('box/locked')
  expect(found.unreadable[1]).toMatch(/^deep\/d\//)
})

test("falls back to plain files if the browser doesn't support entries", async () => {
  const found = await readDrop(entriesOf(dropOf(null)))
  expect(found.files.map(({ file }) => file.name)).toEqual(['plain.txt'])
})

test('keeps the paths of files in a chosen folder', () => {
  const file = new File(['x'], 'b.txt')
  Object.defineProperty(file, 'webkitRelativePath', { value: 'trip/day/b.txt' })
  const found = readChosen([file, new File(['y'], 'c.txt')])
  expect(found.files.map(({ path }) => path)).toEqual([['trip', 'day'], []])
})
