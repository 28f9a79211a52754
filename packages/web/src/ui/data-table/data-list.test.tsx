// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage, loadMessages } from '../../i18n/i18n.ts'
import { renderRouted } from '../routed.test-data.tsx'
import { DataList, type ListChoice, type ListQuery } from './data-list.tsx'
import type { Column } from './data-table.tsx'
import { ListFilter } from './list-filter.tsx'
import { useListPlace } from './list-place.ts'
import { ListSearch } from './list-search.tsx'
import { TableLink } from './table-link.tsx'

interface Person {
  id: number
  name: string
  city: string
}

const options = { sorts: ['name', 'city'], filters: { kind: ['big', 'small'] } } as const

const columns: readonly Column<Person>[] = [
  {
    name: 'name',
    label: 'Name',
    sortable: true,
    phone: 'main',
    cell: ({ id, name }) => <TableLink to={`/person/${id}`}>{name}</TableLink>,
  },
  { name: 'city', label: 'City', sortable: true, cell: ({ city }) => city },
]

const people: Person[] = [
  { id: 1, name: 'Jane', city: 'Bern' },
  { id: 2, name: 'Ned', city: 'Chur' },
]

const loaded = (list: Person[], more: Partial<ListQuery<Person>['data']> = {}): ListQuery<Person> => ({
  data: { list, count: list.length, hasMore: false, total: list.length, ...more },
  isError: false,
  isPlaceholderData: false,
  refetch: vi.fn(),
})

let query: ListQuery<Person>
let choice: ListChoice<Person> | undefined
let groupOf: ((person: Person) => string) | undefined

function Screen() {
  const navigation = useListPlace(options)
  const { search, filters } = navigation.place
  return (
    <DataList
      label="People"
      columns={columns}
      rowKey={({ id }) => id}
      {...(groupOf && { groupOf })}
      detail={({ id, city }) => (id === 2 ? <p>More of {city}</p> : undefined)}
      query={query}
      navigation={navigation}
      tools={
        <>
          <ListSearch
            label="Search people"
            placeholder=""
            value={search}
            onSearch={(text) => navigation.go({ search: text })}
          />
          <ListFilter
            label="Kind"
            all="Any"
            options={[{ value: 'big', label: 'Big' }]}
            value={filters.kind}
            onFilter={(value) => navigation.go({ filters: { kind: value === 'big' ? 'big' : undefined } })}
          />
        </>
      }
      empty={<p>Nobody yet</p>}
      choice={choice}
    />
  )
}

beforeAll(async () => {
  await activateLanguage('en')
  await loadMessages('list')
})
beforeEach(() => {
  query = loaded(people)
  choice = undefined
  groupOf = undefined
})
afterEach(cleanup)

const search = () => screen.getByLabelText<HTMLInputElement>('Search people')

test('rows have real links', async () => {
  await renderRouted(Screen, '/people')
  const table = screen.getByRole('table', { name: 'People' })
  expect(within(table).getByRole('link', { name: 'Ned' }).getAttribute('href')).toBe('/person/2')
})

test('a row may have expanded details over the full width', async () => {
  await renderRouted(Screen, '/people')
  const [, jane, ned, more, ...rest] = screen.getAllByRole('row')
  expect([jane?.textContent, ned?.textContent]).toEqual(['JaneBern', 'NedChur'])
  expect(more?.textContent).toBe('More of Chur')
  expect(more?.querySelector('td')?.colSpan).toBe(2)
  expect(rest).toEqual([])
})

test('groups similar consecutive rows below their own heading', async () => {
  query = loaded([...people, { id: 3, name: 'Olga', city: 'Chur' }])
  groupOf = ({ city }) => `In ${city}`
  await renderRouted(Screen, '/people')
  const groups = screen
    .getAllByRole('rowgroup')
    .slice(1)
    .map((group) =>
      within(group)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    )
  expect(groups).toEqual([
    ['In Bern', 'JaneBern'],
    ['In Chur', 'NedChur', 'More of Chur', 'OlgaChur'],
  ])
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'In Bern',
    'In Chur',
  ])
})

test('pressing a heading sorts by it, pressing again reverses the order', async () => {
  const { location } = await renderRouted(Screen, '/people?page=2&search=x')
  const user = userEvent.setup()
  const head = (name: string) => screen.getByRole('columnheader', { name })
  expect(head('Name').getAttribute('aria-sort')).toBe('ascending')
  expect(head('City').getAttribute('aria-sort')).toBeNull()
  await user.click(within(head('City')).getByRole('button'))
  await waitFor(() => expect(head('City').getAttribute('aria-sort')).toBe('ascending'))
  expect(location()).toBe('/people?search=x&sort=city')
  await user.click(within(head('City')).getByRole('button'))
  await waitFor(() => expect(head('City').getAttribute('aria-sort')).toBe('descending'))
  expect(location()).toBe('/people?search=x&sort=city&order=desc')
})

test('typing searches after a pause, Enter at once, and "back" restores the previous text', async () => {
  const { location, back } = await renderRouted(Screen, '/people?page=3')
  const user = userEvent.setup()
  await user.type(search(), 'ja')
  expect(location()).toBe('/people?page=3')
  await waitFor(() => expect(location()).toBe('/people?search=ja'))
  await user.type(search(), 'n{Enter}')
  await waitFor(() => expect(location()).toBe('/people?search=jan'))
  back()
  await waitFor(() => expect(search().value).toBe('ja'))
  expect(location()).toBe('/people?search=ja')
})

test('the filter is part of the URL', async () => {
  const { location } = await renderRouted(Screen, '/people?kind=big')
  const filter = screen.getByLabelText<HTMLSelectElement>('Kind')
  expect(filter.value).toBe('big')
  await userEvent.setup().selectOptions(filter, 'Any')
  await waitFor(() => expect(location()).toBe('/people'))
})

test('paging shows the current position and leads to the next page', async () => {
  query = loaded(people, { total: 45, hasMore: true })
  const { location } = await renderRouted(Screen, '/people?page=2')
  const pages = screen.getByRole('navigation', { name: 'Pages' })
  expect(within(pages).getByText('21–22 of 45')).toBeTruthy()
  const user = userEvent.setup()
  await user.click(within(pages).getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(location()).toBe('/people?page=3'))
  await user.selectOptions(within(pages).getByLabelText('Rows'), '50')
  await waitFor(() => expect(location()).toBe('/people?size=50'))
})

test('a page that has become empty leads to the last one', async () => {
  query = loaded([], { total: 21 })
  const { location } = await renderRouted(Screen, '/people?page=9')
  await waitFor(() => expect(location()).toBe('/people?page=2'))
})

test('distinguishes an empty list from one without matches', async () => {
  query = loaded([])
  await renderRouted(Screen, '/people')
  expect(screen.getByText('Nobody yet')).toBeTruthy()
  cleanup()
  const { location } = await renderRouted(Screen, '/people?search=zz&kind=big')
  expect(screen.getByText('No matches for “zz”')).toBeTruthy()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(location()).toBe('/people'))
})

test('a loading list is busy, a failed one can be retried', async () => {
  query = { data: undefined, isError: false, isPlaceholderData: false, refetch: vi.fn() }
  await renderRouted(Screen, '/people')
  expect(document.querySelector('.panel')?.getAttribute('aria-busy')).toBe('true')
  cleanup()
  query = { ...query, isError: true }
  await renderRouted(Screen, '/people')
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  expect(query.refetch).toHaveBeenCalledTimes(1)
})

test('announces rows selected by labelled checkboxes; a new filter clears the selection', async () => {
  choice = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    actions: ({ ids }) => <p>{ids ? `act on ${ids.join()}` : 'act on all'}</p>,
  }
  query = loaded(people, { total: 45, hasMore: true })
  await renderRouted(Screen, '/people')
  const user = userEvent.setup()
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })
  await user.click(box('Select Ned'))
  expect(screen.getByText('act on 2')).toBeTruthy()
  expect(screen.getAllByRole('status').some(({ textContent }) => textContent === '1 selected')).toBe(true)
  expect(box('Select this page').indeterminate).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Select all 45' }))
  expect(screen.getByText('act on all')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Kind'), 'Big')
  await waitFor(() => expect(screen.queryByText('act on all')).toBeNull())
  await user.selectOptions(screen.getByLabelText('Kind'), 'Any')
  expect(box('Select Ned').checked).toBe(false)
})
