import { useRef } from 'react'
import { useLocation, useNavigate, useRouter } from '../../../router/router-context.tsx'

declare module '../../../router/location.ts' {
  interface HistoryState {
    /** This history entry is a preview on top of the previous entry. */
    isPreview?: boolean
  }
}

export interface PreviewPlace {
  /** The current item; undefined: none. */
  id: string | undefined
  show: (id: string) => void
  /** Replaces the history entry, for moving from one item to the next. */
  turn: (id: string) => void
  hide: () => void
}

/**
 * The preview is part of the URL, so that "back" closes it and links open it. Closing it goes back if the
 * previous entry is the list, which would otherwise be in the history twice.
 */
export function usePreviewPlace(): PreviewPlace {
  const navigate = useNavigate()
  const { history } = useRouter()
  const isOver = useLocation().state.isPreview ?? false
  const search = useLocation().search
  const id = typeof search.preview === 'string' && search.preview !== '' ? search.preview : undefined
  // going back takes a moment, during which the user may press again
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
