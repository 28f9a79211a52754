// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { domainChoices, domainChoicesQuery } from './domain-choices.ts'
import { queryClient } from './query.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

test('the own domain comes first, a public one too, then the others by name', () => {
  expect(domainChoices('owner@zeta.test', ['acme.test', 'zeta.test'])).toEqual(['zeta.test', 'acme.test'])
  expect(domainChoices('solo@public.test', ['acme.test'])).toEqual(['public.test', 'acme.test'])
  expect(domainChoices('owner@acme.test', [])).toEqual(['acme.test'])
})

test('every page of the list is read, and only what addresses may lie in is offered', async () => {
  const pages = [
    [
      { namespace: 'acme.test', isConfirmed: true, isSuspended: false },
      { namespace: 'new.test', isConfirmed: false, isSuspended: false },
    ],
    [
      { namespace: 'off.test', isConfirmed: true, isSuspended: true },
      { namespace: 'zeta.test', isConfirmed: true, isSuspended: false },
    ],
  ]
  vi.stubGlobal('fetch', async (url: string) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('page'))
    return Response.json({ list: pages[page - 1], count: 2, hasMore: page < pages.length })
  })
  expect(await queryClient.fetchQuery(domainChoicesQuery('me@acme.test'))).toEqual(['acme.test', 'zeta.test'])
})
