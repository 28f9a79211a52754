import { folderRights, folderTypes } from '@gatehouse/contract/directory/folders'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AccountState,
  documentOf,
  placeKey,
  policyKey,
  type StateObject,
  type Values,
} from './account-state.ts'
import { parseDocumentFile, spellDocument } from './document-file.ts'
import { Problems } from './problems.ts'
import { readDocument } from './read-document.ts'
import { stepsBetween } from './steps.ts'

const ids = fc.integer({ min: 1, max: 4_294_967_295 })
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const domain = word.map((name) => `${name}.test`)
const email = fc.tuple(word, domain).map(([local, name]) => `${local}@${name}`)
const line = fc.stringMatching(/^[A-Za-zÄß][\w :'#,-]{0,20}[\wé]$/)
const emails = fc.uniqueArray(email, { maxLength: 4 })
const flag = fc.option(fc.boolean())

/** Objects of a kind with the ids and keys that their values imply. */
function objects(values: fc.Arbitrary<Values>, keyOf: (values: Values) => string) {
  return fc
    .uniqueArray(fc.tuple(ids, values), { maxLength: 4, selector: ([, one]) => keyOf(one) })
    .map((list) =>
      list.map(
        ([id, one], index): StateObject => ({
          id: id + index,
          key: keyOf(one),
          label: keyOf(one),
          values: one,
        }),
      ),
    )
}

const byEmail = ({ email: address }: Values) => String(address)
const byPlace = ({ name, domain: place }: Values) => placeKey(String(name), String(place))

const states: fc.Arbitrary<AccountState> = fc.record({
  domains: objects(
    fc.record({
      name: domain,
      package: fc.option(word),
      spf_whitelist: fc.uniqueArray(
        domain.map((name) => `.${name}`),
        { maxLength: 3 },
      ),
    }),
    ({ name }) => String(name),
  ),
  users: objects(
    fc.record({
      email,
      first_name: fc.option(line),
      phone: fc.option(fc.constant('+41 44')),
      external_email: fc.option(email),
      country: fc.option(fc.constantFrom('CH', 'DE', 'NO')),
      aliases: emails,
      package: fc.option(word),
      quota: fc.integer({ min: 0, max: 100 }),
      settings: fc.record({
        greylist_enabled: flag,
        itip_config: flag,
        externalsender_config: flag,
        guam_enabled: fc.boolean(),
        limit_geo: fc.uniqueArray(fc.constantFrom('CH', 'DE', 'NO')),
      }),
    }),
    byEmail,
  ),
  lists: objects(
    fc.record({
      email,
      name: line,
      members: emails,
      sender_policy: emails,
      members_may_send: fc.boolean(),
    }),
    byEmail,
  ),
  resources: objects(
    fc.record({
      name: line,
      domain,
      invitation_policy: fc.oneof(
        fc.constantFrom('accept', 'reject'),
        email.map((address) => `manual:${address}`),
      ),
    }),
    byPlace,
  ),
  folders: objects(
    fc.record({
      name: line,
      domain,
      type: fc.constantFrom(...folderTypes),
      aliases: emails,
      acl: fc.uniqueArray(
        fc
          .tuple(fc.oneof(fc.constant('anyone'), email), fc.constantFrom(...folderRights))
          .map(([who, right]) => `${who}, ${right}`),
        { maxLength: 3 },
      ),
    }),
    byPlace,
  ),
  rooms: objects(
    fc.record({
      name: word,
      description: fc.option(line),
      locked: fc.boolean(),
      nomedia: fc.boolean(),
      moderators: emails,
    }),
    ({ name }) => String(name),
  ),
  policies: fc
    .record({
      greylist_policy: fc.boolean(),
      password_policy: fc.option(fc.constant('min:8,max:255')),
      max_password_age: fc.option(fc.integer({ min: 1, max: 120 })),
      staff_access_policy: flag,
    })
    .map((values) => [{ id: 1, key: policyKey, label: policyKey, values }]),
})

/** Nobody is kept. */
const kept = { ownerId: 0, callerId: 0 }

describe('the document of a state', () => {
  test('needs no step, also as a file, whatever the state', () => {
    fc.assert(
      fc.property(states, (state) => {
        const file = parseDocumentFile(spellDocument(documentOf(state)))
        const complete = ['domains', 'users', 'lists', 'resources', 'folders', 'rooms']
        const problems = new Problems()
        const steps = stepsBetween(state, readDocument({ ...file, complete }), kept, problems)
        problems.require()
        expect(steps).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('leads from an empty account to the state, and back', () => {
    const empty: AccountState = {
      ...{ domains: [], users: [], lists: [], resources: [], folders: [], rooms: [] },
      policies: [{ id: 1, key: policyKey, label: policyKey, values: {} }],
    }
    fc.assert(
      fc.property(states, (state) => {
        const count = Object.values(state).reduce((sum, list) => sum + list.length, 0) - 1
        const { rooms: _rooms, policies: _policies, ...document } = documentOf(state)
        const made = stepsBetween(empty, readDocument(document), kept, new Problems())
        expect(made.every(({ action }) => action === 'create')).toBe(true)
        expect(made).toHaveLength(count - state.rooms.length)
        const nothing = { version: 1, complete: ['rooms'], rooms: [] }
        const gone = stepsBetween(state, readDocument(nothing), kept, new Problems())
        expect(gone.map(({ action, id }) => [action, id])).toEqual(
          state.rooms.map(({ id }) => ['delete', id]),
        )
      }),
      { numRuns: 30 },
    )
  })
})
