import { expect, test } from 'vitest'
import { SocketPlaces } from './socket-places.ts'

test('rejects a socket from a network at its limit until one is closed', () => {
  const places = new SocketPlaces(2)
  expect([places.take('a'), places.take('a'), places.take('a'), places.take('b')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  places.leave('a')
  expect([places.take('a'), places.take('a')]).toEqual([true, false])
})
