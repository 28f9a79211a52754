import { keyScopeGroups } from '@gatehouse/contract/sessions/key-scopes'
import { expect, test } from 'vitest'
import { groupLabels } from './group-labels.ts'

test('every group of calls that API keys can have has a label', () => {
  expect(Object.keys(groupLabels).sort()).toEqual(keyScopeGroups.map(({ group }) => group))
})
