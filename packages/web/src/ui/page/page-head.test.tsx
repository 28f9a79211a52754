// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { activateLanguage } from '../../i18n/i18n.ts'
import { renderRouted } from '../routed.test-data.tsx'
import { PageHead } from './page-head.tsx'

beforeAll(() => activateLanguage('en'))
afterEach(cleanup)

test('the breadcrumbs end with the name of the page', async () => {
  await renderRouted(() => <PageHead title="Jane" trail={[{ label: 'Users', to: '/users' }]} />)
  const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
  const steps = within(trail).getAllByRole('listitem')
  expect(steps.map(({ textContent }) => textContent)).toEqual(['Users', 'Jane'])
  expect(steps.map((step) => step.querySelectorAll('svg').length)).toEqual([1, 0])
  expect(steps.at(-1)?.getAttribute('aria-current')).toBe('page')
})

test('a top-level page has none', async () => {
  await renderRouted(() => <PageHead title="Users" />)
  expect(screen.queryByRole('navigation')).toBeNull()
})
