import { expect, test } from 'vitest'
import { readPlace, sortBy, writePlace } from './list-place.ts'

const options = {
  sorts: ['email', 'name', 'created'],
  filters: { status: ['active', 'suspended'] },
} as const

const start = { page: 1, size: 20, search: '', sort: 'email', order: 'asc', filters: {} }

test('a URL without parameters is the first page in default order', () => {
  expect(readPlace({}, options)).toEqual(start)
  expect(writePlace(readPlace({}, options), options)).toEqual({})
})

test.each([
  [{ page: '3' }, { page: 3 }],
  [{ size: '50' }, { size: 50 }],
  [{ search: 'jane' }, { search: 'jane' }],
  [{ sort: 'name' }, { sort: 'name' }],
  [
    { sort: 'created', order: 'desc' },
    { sort: 'created', order: 'desc' },
  ],
  [{ status: 'suspended' }, { filters: { status: 'suspended' } }],
])('what the address %j says is read, and written again', (query, change) => {
  const place = readPlace(query, options)
  expect(place).toEqual({ ...start, ...change })
  expect(JSON.parse(JSON.stringify(writePlace(place, options)))).toEqual(query)
})

test.each([
  { page: '0' },
  { page: '-1' },
  { page: '1.5' },
  { page: 'x' },
  { page: '10000000' },
  { size: '7' },
  { sort: 'password' },
  { order: 'up' },
  { status: 'nonsense' },
])('what makes no sense in %j counts as not said', (query) => {
  expect(readPlace(query, options)).toEqual(start)
})

test('a filter may accept any text by its own rule', () => {
  const open = { sorts: ['time'], filters: { who: (text: string) => text.includes('@') } } as const
  expect(readPlace({ who: 'jane@acme.test' }, open).filters).toEqual({ who: 'jane@acme.test' })
  expect(readPlace({ who: 'jane' }, open).filters).toEqual({})
  expect(writePlace(readPlace({ who: 'a@b' }, open), open)).toMatchObject({ who: 'a@b' })
})

test('a list may start with the newest', () => {
  const newest = { sorts: ['time', 'name'], filters: {}, order: 'desc' } as const
  expect(readPlace({}, newest).order).toBe('desc')
  expect(readPlace({ sort: 'name' }, newest).order).toBe('asc')
  expect(writePlace(readPlace({ order: 'asc' }, newest), newest)).toEqual({ order: 'asc' })
})

test('a list may have a larger default page size', () => {
  const long = { sorts: ['name'], filters: {}, size: 100 } as const
  expect(readPlace({}, long).size).toBe(100)
  expect(writePlace(readPlace({}, long), long)).toEqual({})
  expect(writePlace(readPlace({ size: '20' }, long), long)).toEqual({ size: '20' })
})

test('a column sorts ascending first, then descending', () => {
  const place = readPlace({}, options)
  expect(sortBy(place, 'name')).toEqual({ sort: 'name', order: 'asc' })
  expect(sortBy({ ...place, sort: 'name' }, 'name')).toEqual({ sort: 'name', order: 'desc' })
  expect(sortBy({ ...place, sort: 'name', order: 'desc' }, 'name')).toEqual({ sort: 'name', order: 'asc' })
})
