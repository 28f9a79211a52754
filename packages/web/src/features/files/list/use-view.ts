import { createStore, useStore } from '../../../state/store.ts'

export type View = 'list' | 'grid'

const key = 'files-view'

function read(): View {
  return localStorage.getItem(key) === 'grid' ? 'grid' : 'list'
}

const view = createStore<View | undefined>(undefined)

/** View of the files, as chosen in this browser. */
export function useView(): [View, (next: View) => void] {
  const chosen = useStore(view) ?? read()
  return [
    chosen,
    (next) => {
      view.set(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // If the browser stores nothing, the choice lasts until the page is left.
      }
    },
  ]
}
