import { expect, test } from 'vitest'
import { changesIn } from './event-changes.ts'

test('a change tells of lists and quantities only what differs', () => {
  const data = {
    before: { phone: null, aliases: ['a@x', 'b@x'], subscriptions: { mailbox: 1, storage: 5 } },
    after: { phone: '1', aliases: ['b@x', 'c@x'], subscriptions: { mailbox: 1, storage: 9 } },
  }
  expect(changesIn(data, ['aliases', 'subscriptions'])).toEqual([
    { field: 'aliases', before: 'a@x', after: 'c@x' },
    { field: 'subscriptions', before: 'storage 5', after: 'storage 9' },
    { field: 'phone', before: '', after: '1' },
  ])
  expect(changesIn(null, [])).toEqual([])
  expect(changesIn({ mail: 'welcome' }, [])).toEqual([])
})

test('of a long list some are named and the others counted', () => {
  const members = Array.from({ length: 20 }, (_, number) => `user${number}@b.test`)
  const [change] = changesIn({ before: { members: [] }, after: { members } }, [])
  expect(change?.after).toMatch(/^user0@b\.test, .*user11@b\.test, … \(\+8\)$/)
})
