// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { renderRouted } from '../routed.test-data.tsx'
import { DataList, type ListChoice, type ListQuery } from './data-list.tsx'
import type { Column } from './data-table.tsx'
import { useListPlace } from './list-place.ts'
import { ListSearch } from './list-search.tsx'
import { Pager } from './pager.tsx'

interface Person {
  id: number
  name: string
}

const options = { sorts: ['name', 'id'], filters: {} } as const
const list: Person[] = ['Ann', 'Ben', 'Cleo', 'Dan'].map((name, at) => ({ id: at + 1, name }))
const columns: readonly Column<Person>[] = [
  { name: 'name', label: 'Name', sortable: true, cell: ({ name }) => name },
  { name: 'id', label: 'Number', sortable: true, cell: ({ id }) => id },
]
const query: ListQuery<Person> = {
  data: { list, count: 4, hasMore: false, total: 4 },
  isError: false,
  isPlaceholderData: false,
  refetch: vi.fn(),
}
const choice: ListChoice<Person> = { id: ({ id }) => id, name: ({ name }) => name, actions: () => null }

function People() {
  const navigation = useListPlace(options)
  return (
    <DataList
      label="People"
      columns={columns}
      rowKey={({ id }) => id}
      query={query}
      navigation={navigation}
      empty={<p>Nobody yet</p>}
      choice={choice}
    />
  )
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` })
const checked = () => list.filter(({ name }) => box(name).checked).map(({ name }) => name)

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('list')
})
afterEach(cleanup)

describe('keyboard', () => {
  test.each(['{Enter}', ' '])('"%s" on a head sorts by it, and the focus stays', async (key) => {
    await renderRouted(People, '/people')
    const user = userEvent.setup()
    const head = screen.getByRole('columnheader', { name: 'Number' })
    const button = screen.getByRole('button', { name: 'Number' })
    button.focus()
    const seen: unknown[] = [head.getAttribute('aria-sort')]
    for (let time = 0; time < 2; time++) {
      await user.keyboard(key)
      await vi.waitFor(() => expect(head.getAttribute('aria-sort')).not.toBe(seen.at(-1)))
      seen.push(head.getAttribute('aria-sort'))
    }
    expect(seen).toEqual([null, 'ascending', 'descending'])
    expect(document.activeElement).toBe(button)
  })

  test('Space selects and deselects a row, Escape clears the selection and keeps the focus', async () => {
    await renderRouted(People, '/people')
    const user = userEvent.setup()
    box('Ben').focus()
    await user.keyboard(' ')
    await user.tab()
    await user.keyboard(' ')
    expect(checked()).toEqual(['Ben', 'Cleo'])
    await user.keyboard(' ')
    expect(checked()).toEqual(['Ben'])
    await user.keyboard('{Escape}')
    expect(checked()).toEqual([])
    expect(document.activeElement).toBe(box('Cleo'))
  })

  test("Space on the heading's checkbox selects the page; it is mixed while a part is selected", async () => {
    await renderRouted(People, '/people')
    const user = userEvent.setup()
    box('Ann').focus()
    await user.keyboard(' ')
    const page = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select this page' })
    expect(page.indeterminate).toBe(true)
    page.focus()
    await user.keyboard(' ')
    expect([page.checked, page.indeterminate]).toEqual([true, false])
    expect(checked()).toHaveLength(4)
  })

  test('the button that clears the selection returns the focus to the table', async () => {
    await renderRouted(People, '/people')
    const user = userEvent.setup()
    box('Ann').focus()
    await user.keyboard(' ')
    screen.getByRole('button', { name: 'Clear selection' }).focus()
    await user.keyboard('{Enter}')
    expect(checked()).toEqual([])
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select this page' }))
  })

  test('Enter searches at once, and the button that clears the text returns the focus', async () => {
    const onSearch = vi.fn()
    render(<ListSearch label="Search" placeholder="" value="" onSearch={onSearch} />)
    const user = userEvent.setup()
    await user.tab()
    await user.keyboard('ann{Enter}')
    expect(onSearch.mock.calls).toEqual([['ann']])
    await user.tab()
    await user.keyboard('{Enter}')
    expect(onSearch.mock.calls).toEqual([['ann'], ['']])
    expect(document.activeElement).toBe(screen.getByLabelText('Search'))
  })

  test.each(['{Enter}', ' '])(
    '"%s" turns pages, and the focus stays in the pager at either end',
    async (key) => {
      function Pages() {
        const [page, setPage] = useState(2)
        return <Pager page={page} size={10} count={10} hasMore={page < 3} total={30} onPage={setPage} />
      }
      render(<Pages />)
      const user = userEvent.setup()
      const previous = screen.getByRole<HTMLButtonElement>('button', { name: 'Previous page' })
      const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' })
      next.focus()
      await user.keyboard(key)
      expect(screen.getByRole('status').textContent).toBe('21–30 of 30')
      expect(next.disabled).toBe(true)
      expect(document.activeElement).toBe(previous)
      await user.keyboard(key)
      expect(document.activeElement).toBe(previous)
      await user.keyboard(key)
      expect(document.activeElement).toBe(next)
    },
  )
})
