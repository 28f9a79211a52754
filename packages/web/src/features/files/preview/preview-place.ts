import { useRef } from 'react'
import { useLocation, useNavigate, useRouter } from '../../../router/router-context.tsx'

declare module '../../../router/location.ts' {
  interface HistoryState {
    /** This entry of the history shows a preview over the entry before it. */
    isPreview?: boolean
  }
}

export interface PreviewPlace {
  /** The item that is shown; undefined: none. */
  id: string | undefined
  show: (id: string) => void
  /** The same place in the history, for going from one to the next. */
  turn: (id: string) => void
  hide: () => void
}

/**
 * What is shown in place stands in the address, so that "back" closes it and a link opens it. Closing it goes back, where
 * that is the list: it would stand in the history twice otherwise.
 */
export function usePreviewPlace(): PreviewPlace {
  const navigate = useNavigate()
  const { history } = useRouter()
  const isOver = useLocation().state.isPreview ?? false
  const search = useLocation().search
  const id = typeof search.preview === 'string' && search.preview !== '' ? search.preview : undefined
  // going back takes a moment, in which somebody may press again
  const left = useRef<string>(undefined)
  if (id !== left.current) left.current = undefined
  const go = (preview: string | undefined, replace: boolean) =>
    void navigate({
      to: '.',
      search: { ...search, preview },
      replace,
      resetScroll: false,
      state: { isPreview: preview !== undefined && (isOver || !replace) },
    })
  return {
    id,
    show: (item) => go(item, false),
    turn: (item) => go(item, true),
    hide: () => {
      if (left.current !== undefined) return
      left.current = id
      if (isOver) history.back()
      else go(undefined, true)
    },
  }
}
