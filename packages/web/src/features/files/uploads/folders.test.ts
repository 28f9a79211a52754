// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createFolders } from './folders.ts'

const signal = new AbortController().signal

function asked(fail: (name: string) => boolean = () => false) {
  const asks: string[] = []
  const folders = createFolders(async (parent, name) => {
    asks.push(`${parent ?? ''}/${name}`)
    if (fail(name)) throw new Error('no')
    return `${parent ?? ''}/${name}`
  })
  return { asks, folders }
}

test('each folder of a path is asked for once, however many files go there at the same time', async () => {
  const { asks, folders } = asked()
  const found = await Promise.all(
    [['a'], ['a', 'b'], ['a', 'b'], ['a', 'c'], []].map((path) => folders.find('top', path, signal)),
  )
  expect(found).toEqual(['top/a', 'top/a/b', 'top/a/b', 'top/a/c', 'top'])
  expect(asks.sort()).toEqual(['top/a', 'top/a/b', 'top/a/c'])
})

test('a folder that could not be had is asked for again', async () => {
  let isIll = true
  const { asks, folders } = asked(() => isIll)
  await expect(folders.find(null, ['a'], signal)).rejects.toThrow()
  isIll = false
  expect(await folders.find(null, ['a'], signal)).toBe('/a')
  expect(asks).toHaveLength(2)
})

test('what was found is looked for again once that is wished, but not what is being looked for', async () => {
  const { asks, folders } = asked()
  await folders.find(null, ['a'], signal)
  folders.forget()
  const both = [folders.find(null, ['a', 'b'], signal)]
  folders.forget()
  both.push(folders.find(null, ['a', 'b'], signal))
  expect(await Promise.all(both)).toEqual(['/a/b', '/a/b'])
  expect(asks).toEqual(['/a', '/a', '/a/b'])
})
