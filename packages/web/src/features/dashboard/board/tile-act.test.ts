// @vitest-environment happy-dom
import { beforeAll, describe, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../../i18n/i18n.ts'
import { testUser } from '../../../platform/session/user.test-data.ts'
import { testOverview } from '../overview.test-data.ts'
import { tileAct } from './tile-act.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('dashboard')
})

const owner = testUser(['delegation', 'walletPayments'])
const acme = { name: 'acme-board', title: 'Board' }

describe('the shortcut of a tile', () => {
  test.each([
    ['account', 'Add delegate', '/settings'],
    ['domains', 'New domain', '/domain/new'],
    ['users', 'Add people', '/users/add'],
    ['distlists', 'New distribution list', '/distlist/new'],
    ['resources', 'New resource', '/resource/new'],
    ['folders', 'New shared folder', '/shared-folder/new'],
    ['wallet', 'Top up', '/wallet'],
    ['rooms', 'New room', '/room/new'],
    ['invitations', 'Invite people', '/invitations'],
  ])('%s: %s', (name, label, to) => {
    expect(tileAct(name, owner, testOverview(), t)).toMatchObject({ label, to })
  })

  test.each(['policies', 'webmail', 'companions', 'stats', 'files'])('%s: none', (name) => {
    expect(tileAct(name, owner, testOverview(), t)).toBeUndefined()
  })

  test('starts or joins the suggested meeting, once the overview is loaded', () => {
    const rooms = { total: 2, open: 0, busiest: null, suggested: acme }
    const act = (open: number) => tileAct('rooms', owner, testOverview({ rooms: { ...rooms, open } }), t)
    expect(act(0)).toMatchObject({
      label: 'Start meeting in Board',
      to: '/meet/acme-board?join=1',
    })
    expect(act(1)).toMatchObject({ label: 'Join meeting in Board', to: '/meet/acme-board' })
    expect(tileAct('rooms', owner, undefined, t)).toBeUndefined()
  })

  test.each(['domains', 'users', 'distlists', 'resources', 'folders'])(
    'is absent in a degraded account: %s',
    (name) => {
      expect(tileAct(name, { ...owner, isAccountDegraded: true }, testOverview(), t)).toBeUndefined()
    },
  )

  test.each(['account', 'wallet'])('is absent without the permission: %s', (name) => {
    expect(tileAct(name, testUser(), testOverview(), t)).toBeUndefined()
  })

  test('is absent without the right to create rooms, if there are none', () => {
    expect(tileAct('rooms', owner, testOverview({ canCreateRooms: false }), t)).toBeUndefined()
  })
})
