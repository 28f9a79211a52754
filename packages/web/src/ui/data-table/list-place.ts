import { useLocation, useRouter } from '../../router/router-context.tsx'

export type Order = 'asc' | 'desc'

/** Filters of a list by URL parameter, each with its values or a validation function. */
export type Filters = Readonly<Record<string, readonly string[] | ((text: string) => boolean)>>

type FilterValue<F> = F extends readonly (infer Value)[] ? Value : string

/** URL parameters of a list. The first sort key is the default. */
export interface ListOptions<S extends string, F extends Filters> {
  sorts: readonly [S, ...S[]]
  filters: F
  /** Direction of the first sort key; default: ascending. */
  order?: Order
  /** Default page size; by default the smallest selectable one. */
  size?: (typeof pageSizes)[number]
}

/** The shown part of a list and its order. */
export interface ListPlace<S extends string, F extends Filters> {
  page: number
  size: number
  search: string
  sort: S
  order: Order
  filters: { readonly [K in keyof F]?: FilterValue<F[K]> }
}

/** Selectable page sizes; the first is the default. */
export const pageSizes = [20, 50, 100] as const

type Query = Readonly<Record<string, unknown>>

/** Parses the state of a list from the query. Invalid values are ignored. */
export function readPlace<S extends string, F extends Filters>(
  query: Query,
  { sorts, filters, order = 'asc', size: usualSize = pageSizes[0] }: ListOptions<S, F>,
): ListPlace<S, F> {
  const page = Number(query.page)
  const sort = sorts.find((key) => key === query.sort) ?? sorts[0]
  const chosen = Object.entries(filters).flatMap(([name, values]) => {
    const value = query[name]
    const isGood =
      typeof value === 'string' && (typeof values === 'function' ? values(value) : values.includes(value))
    return isGood ? [[name, value]] : []
  })
  return {
    page: Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: pageSizes.find((size) => size === Number(query.size)) ?? usualSize,
    search: typeof query.search === 'string' ? query.search : '',
    sort,
    order: query.order === 'asc' || query.order === 'desc' ? query.order : usualOrder(sort, sorts, order),
    // fromEntries loses the key type; names and values are those of `filters`
    filters: Object.fromEntries(chosen) as ListPlace<S, F>['filters'],
  }
}

/** Serializes the state of a list to a query; defaults are omitted. */
export function writePlace<S extends string, F extends Filters>(
  place: ListPlace<S, F>,
  { sorts, filters, order = 'asc', size: usualSize = pageSizes[0] }: ListOptions<S, F>,
): Record<string, string | undefined> {
  const names = Object.keys(filters)
  return {
    page: place.page > 1 ? String(place.page) : undefined,
    size: place.size === usualSize ? undefined : String(place.size),
    search: place.search || undefined,
    sort: place.sort === sorts[0] ? undefined : place.sort,
    order: place.order === usualOrder(place.sort, sorts, order) ? undefined : place.order,
    ...Object.fromEntries(names.map((name) => [name, place.filters[name]])),
  }
}

/** Returns the state after pressing a column heading: sorted by that column, or reversed if it already is. */
export function sortBy<S extends string, F extends Filters>(
  place: ListPlace<S, F>,
  sort: S,
): Partial<ListPlace<S, F>> {
  const order = place.sort === sort && place.order === 'asc' ? 'desc' : 'asc'
  return { sort, order }
}

function usualOrder<S extends string>(sort: S, sorts: readonly [S, ...S[]], order: Order): Order {
  return sort === sorts[0] ? order : 'asc'
}

/** What to change in the state of a list. */
export type PlaceChange<S extends string, F extends Filters> =
  | Partial<ListPlace<S, F>>
  | ((latest: ListPlace<S, F>) => Partial<ListPlace<S, F>>)

/** The state of a list in the URL, with functions to change it. */
export interface ListNavigation<S extends string, F extends Filters> {
  place: ListPlace<S, F>
  /** The available sort keys. */
  sorts: readonly S[]
  /**
   * Every change except of the page returns to the first page. A function gets the latest state, which may not be
   * rendered yet when one change follows another quickly.
   */
  go: (change: PlaceChange<S, F>, options?: { replace?: boolean }) => void
}

/** Keeps page, search, order and filters of a list in the URL, for links and "back". */
export function useListPlace<S extends string, F extends Filters>(
  options: ListOptions<S, F>,
): ListNavigation<S, F> {
  const router = useRouter()
  const shown = useLocation()
  return {
    place: readPlace(shown.search, options),
    sorts: options.sorts,
    go: (change, { replace = false } = {}) => {
      const { pathname, search: query } = router.location
      if (pathname !== shown.pathname) return
      const latest = readPlace(query, options)
      const changed = typeof change === 'function' ? change(latest) : change
      const search = { ...query, ...writePlace({ ...latest, page: 1, ...changed }, options) }
      void router.navigate({ to: '.', search, replace, resetScroll: changed.page !== undefined && !replace })
    },
  }
}
