// @vitest-environment happy-dom
import type { Overview, Problem, StaffOverview } from '@gatehouse/contract/overview'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { activateLanguage, loadMessages, t } from '../../i18n/i18n.ts'
import { renderRouted } from '../../ui/routed.test-data.tsx'
import { Attention } from './attention.tsx'
import { attentionItems, staffAttention } from './attention-items.ts'
import { tileFact, walletFact } from './board/tile-fact.ts'
import { counted, staffFact } from './cockpit/staff-fact.ts'
import { FirstSteps } from './first-steps.tsx'
import { testOverview } from './overview.test-data.ts'
import { problemAction, problemText } from './problem-words.ts'
import { firstSteps, isEmptyAccount } from './steps.ts'

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('dashboard')
  await loadMessages('operations')
})
afterEach(cleanup)

const one = (kind: Problem['kind'], facts: Partial<Problem> = {}): Problem => ({
  ...{ kind, level: 'warning', count: 1, name: null, id: null },
  ...facts,
})

/** The text of a tile as one line. */
const said = (name: string, change: Partial<Overview>) => {
  const { figure, unit, text } = tileFact(name, testOverview(change), t) ?? { text: '' }
  return [figure, unit, text].filter(Boolean).join(' | ').replaceAll(/\s/g, ' ')
}

const users = { total: 24, active: 21, pending: 0, mail: null, problem: null }
const folders = { total: 4, mail: 1, calendars: 2, addressBooks: 1, problem: null }
const rooms = { total: 4, open: 0, busiest: null, suggested: null }
const board = { name: 'acme-board', participants: 6 }
const files = { used: 1536 * 1024 ** 2, quota: 5 * 1024 ** 3, sharedWithMe: 3, problem: null }

describe('a tile says', () => {
  test.each<[string, Partial<Overview>, string]>([
    ['domains', { domains: { total: 0, problem: null } }, '0 | Add a domain of your own'],
    ['domains', { domains: { total: 3, problem: null } }, '3 | All verified'],
    [
      'domains',
      { domains: { total: 3, problem: one('domain-unconfirmed', { name: 'acme.test', id: 7 }) } },
      '3 | acme.test isn’t verified',
    ],
    ['users', { users }, '24 | 21 active | All active'],
    ['users', { users: { ...users, pending: 2 } }, '24 | 21 active | 2 being set up'],
    [
      'users',
      { users: { ...users, mail: { used: 3 * 1024 ** 3, quota: 120 * 1024 ** 3 } } },
      '24 | 21 active | All active · 3 GB of 120 GB of mail',
    ],
    ['users', { users: { ...users, total: 1, active: 1 } }, '1 | Only you so far'],
    [
      'users',
      { users: { ...users, problem: one('user-failed', { count: 2, name: 'a@acme.test', id: 1 }) } },
      '24 | 21 active | 2 users couldn’t be set up',
    ],
    ['distlists', { distlists: { total: 7, members: 148, problem: null } }, '7 | 148 members in total'],
    ['folders', { folders }, '4 | 2 calendars, 1 address book, 1 mail folder'],
    [
      'folders',
      { folders: { ...folders, mail: 0, calendars: 0, addressBooks: 0 } },
      '4 | Tasks, notes and files',
    ],
    ['rooms', { rooms }, '4 | No meeting right now'],
    ['rooms', { rooms: { ...rooms, open: 1, busiest: board } }, '4 | acme-board is open, 6 people'],
    ['rooms', { rooms: { ...rooms, open: 2, busiest: board } }, '4 | 2 meetings under way'],
    ['files', { files }, '1.5 GB | of 5 GB | 3 shared with you'],
    [
      'files',
      { files: { ...files, problem: one('storage-full') } },
      '1.5 GB | of 5 GB | Your storage is full',
    ],
    ['policies', {}, '8+ | characters | Greylisting on, two-step verification optional'],
    ['companions', { companions: { paired: 1 } }, '1 | device paired | Confirms every sign-in'],
    ['resources', {}, ''],
  ])('%s: %j → %s', (name, change, expected) => {
    expect(said(name, change)).toBe(expected)
  })

  test('how long the balance lasts, unless something is wrong with it', () => {
    const text = (change: Partial<NonNullable<Overview['wallet']>>) => {
      const { wallet } = testOverview()
      return walletFact(testOverview({ wallet: wallet && { ...wallet, ...change } }), t)?.text
    }
    expect(text({ lastsUntil: '2027-03-14' })).toBe('Lasts until 14 March 2027')
    expect(text({})).toBe('No charges ahead')
    expect(text({ autoPayment: true, lastsUntil: '2027-03-14' })).toBe('Topped up automatically')
    const low = { lastsUntil: '2027-03-14', problem: one('low-balance') }
    expect(text(low)).toBe('Your balance only lasts until 14 March 2027')
  })
})

describe('a problem', () => {
  test('links to its object, or to the list if there are several', () => {
    expect(problemAction(one('domain-unconfirmed', { name: 'acme.test', id: 7 }))).toEqual({
      label: 'dashboard.doConfirm',
      to: '/domain/7',
    })
    expect(problemAction(one('user-failed', { count: 2, name: 'a@acme.test', id: 7 }))).toEqual({
      label: 'dashboard.doLook',
      to: '/users',
      search: { status: 'pending' },
    })
    expect(problemText(one('user-failed', { count: 2, name: 'a@acme.test' }), testOverview(), t)).toBe(
      '2 users couldn’t be set up',
    )
  })

  test("shown in the banner or reminder isn't repeated, and protection is part of the first steps", () => {
    const attention = [one('degraded'), one('debt'), one('recovery-missing'), one('second-factor-off')]
    const names = (change: Partial<Overview>) =>
      attentionItems(testOverview({ attention, ...change }), t).map(({ name }) => name)
    expect(names({})).toEqual([])
    expect(names({ users })).toEqual(['second-factor-off'])
    expect(names({ attention: [one('debt'), one('recovery-missing')] })).toEqual(['debt'])
  })

  test('is a row with a link', async () => {
    const items = attentionItems(testOverview({ attention: [one('debt')] }), t)
    await renderRouted(() => <Attention items={items} />)
    const list = await screen.findByRole('list', { name: 'Needs attention' })
    expect(list.textContent).toContain('Your balance is below zero')
    expect(screen.getByRole('link', { name: 'Top up' }).getAttribute('href')).toBe('/wallet')
  })
})

describe('the first steps', () => {
  test('are shown in an account that is empty and may be filled', () => {
    expect(isEmptyAccount(testOverview())).toBe(true)
    expect(isEmptyAccount(testOverview({ canCreateUsers: false }))).toBe(false)
    expect(isEmptyAccount(testOverview({ users }))).toBe(false)
    expect(isEmptyAccount(testOverview({ rooms }))).toBe(false)
    expect(isEmptyAccount(testOverview({ files }))).toBe(false)
  })

  test("omit what isn't permitted and tick off what is done", () => {
    const names = (change: Partial<Overview>) => firstSteps(testOverview(change)).map(({ name }) => name)
    expect(names({})).toEqual(['protect', 'domain', 'user', 'room', 'file'])
    expect(names({ domains: null, canCreateRooms: false })).toEqual(['protect', 'user', 'file'])
    const done = firstSteps(testOverview({ domains: { total: 1, problem: null } })).filter(
      ({ isDone }) => isDone,
    )
    expect(done).toMatchObject([{ name: 'domain', to: '/domains' }])
  })

  test('are links in order', async () => {
    await renderRouted(() => <FirstSteps overview={testOverview()} />)
    await screen.findByRole('region', { name: 'First steps' })
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/security', '/domain/new', '/user/new', '/room/new', '/files'])
  })
})

describe('a cockpit', () => {
  const quiet: StaffOverview = {
    ...{ unpaid: { count: 0, list: [] }, degraded: 0, approvals: 0, tenants: { total: 2, unproven: 0 } },
    signups: [
      { week: '2026-03-02', count: 4 },
      { week: '2026-03-09', count: 1 },
    ],
  }
  const admin: StaffOverview = {
    ...quiet,
    operations: { deadJobs: 0, retryingJobs: 0, health: 'ok', parts: [] },
  }
  const line = (name: string, overview: StaffOverview) => {
    const { figure, unit, text } = staffFact(name, overview, t) ?? { text: '' }
    return [figure, unit, text].filter(Boolean).join(' | ')
  }

  test('shows its figures', () => {
    expect(line('stats', quiet)).toBe('1 | new account | this week, 4 last week')
    expect(line('operations', admin)).toBe('0 | failed jobs | Everything works')
    expect(line('operations', quiet)).toBe('')
    expect(line('tenants', { ...admin, tenants: { total: 2, unproven: 1 } })).toBe(
      '2 | 1 name isn’t verified',
    )
    expect(line('approvals', { ...quiet, approvals: 1 })).toBe('1 | 1 waiting for you')
    const invitations = { open: 3, failed: 1 }
    expect(line('invitations', { ...quiet, invitations })).toBe(
      '3 | open invitations | 1 invitation couldn’t be sent',
    )
    expect([counted(999), counted(1000)]).toEqual(['999', "1'000+"])
  })

  test('needs no attention while all is well, and names what isn’t', () => {
    expect(staffAttention(admin, t)).toEqual([])
    const operations: StaffOverview['operations'] = {
      ...{ deadJobs: 3, retryingJobs: 0, health: 'down' },
      parts: [
        { name: 'queue', state: 'down' },
        { name: 'mail', state: 'degraded' },
      ],
    }
    const items = staffAttention({ ...admin, approvals: 2, operations }, t)
    expect(items.map(({ name, level }) => `${name} ${level}`)).toEqual([
      'health danger',
      'jobs danger',
      'approvals warning',
    ])
    expect(items[0]?.text).toBe('Needs attention: Job queue, Outgoing mail')
    const own = { ...quiet, invitations: { open: 0, failed: 2 }, tenants: { total: 1, unproven: 1 } }
    expect(staffAttention(own, t).map(({ to }) => to)).toEqual(['/invitations', '/tenant/own'])
  })
})
