import { createStore, useStore } from '../../../state/store.ts'

export type View = 'list' | 'grid'

const key = 'files-view'

function read(): View {
  return localStorage.getItem(key) === 'grid' ? 'grid' : 'list'
}

const view = createStore<View | undefined>(undefined)

/** How files are shown, as somebody has chosen it in this browser. */
export function useView(): [View, (next: View) => void] {
  const chosen = useStore(view) ?? read()
  return [
    chosen,
    (next) => {
      view.set(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // A browser that keeps nothing shows it as long as the page lives.
      }
    },
  ]
}
