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

test('requests each folder of a path once, even for many concurrent files', async () => {
  const { asks, folders } = asked()
  const found = await Promise.all(
    [['a'], ['a', 'b'], ['a', 'b'], ['a', 'c'], []].map((path) => folders.find('top', path, signal)),
  )
  expect(found).toEqual(['top/a', 'top/a/b', 'top/a/b', 'top/a/c', 'top'])
  expect(asks.sort()).toEqual(['top/a', 'top/a/b', 'top/a/c'])
})

test('requests a folder again after a failure', async () => {
  let isIll = true
  const { asks, folders } = asked(() => isIll)
  await expect(folders.find(null, ['a'], signal)).rejects.toThrow()
  isIll = false
  expect(await folders.find(null, ['a'], signal)).toBe('/a')
  expect(asks).toHaveLength(2)
})

test('forgets resolved folders on request, but not pending ones', async () => {
  const { asks, folders } = asked()
  await folders.find(null, ['a'], signal)
  folders.forget()
  const both = [folders.find(null, ['a', 'b'], signal)]
  folders.forget()
  both.push(folders.find(null, ['a', 'b'], signal))
  expect(await Promise.all(both)).toEqual(['/a/b', '/a/b'])
  expect(asks).toEqual(['/a', '/a', '/a/b'])
})
