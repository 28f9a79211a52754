import { useLocation, useNavigate } from '@tanstack/react-router'

export interface PreviewPlace {
  /** The item that is shown; undefined: none. */
  id: string | undefined
  show: (id: string) => void
  /** The same place in the history, for going from one to the next. */
  turn: (id: string) => void
  hide: () => void
}

/** What is shown in place stands in the address, so that "back" closes it and a link opens it. */
export function usePreviewPlace(): PreviewPlace {
  const navigate = useNavigate()
  // Without registered routes the query is an open record.
  const search = useLocation({ select: (location): Readonly<Record<string, unknown>> => location.search })
  const go = (preview: string | undefined, replace: boolean) =>
    void navigate({ to: '.', search: { ...search, preview }, replace, resetScroll: false })
  return {
    id: typeof search.preview === 'string' && search.preview !== '' ? search.preview : undefined,
    show: (id) => go(id, false),
    turn: (id) => go(id, true),
    hide: () => go(undefined, true),
  }
}
