import { useLocation, useNavigate, useRouter } from '../../router/router-context.tsx'

declare module '../../router/location.ts' {
  interface HistoryState {
    /** Which step of a screen in several steps this entry of the history shows. */
    step?: number
    /** The step that was shown before; going back to it is going back in the history. */
    cameFrom?: number
  }
}

export interface StepChange {
  /** The step that is shown now. */
  from?: number
  /** An address of its own. */
  path?: string
  /** No entry of its own: the browser's back button does not lead here. */
  replace?: boolean
  /** Facts for the entry. Whoever uses the machine after us can read them: nothing secret. */
  state?: Record<string, string | undefined>
}

export interface HistorySteps {
  /** The step that the current entry of the history asks for; the screen decides whether it can be shown. */
  wanted: number | undefined
  go(step: number, change?: StepChange): void
  /** To an earlier step: back in the history when that is where we came from, so that "forward" leads here again. */
  back(step: number, change?: StepChange): void
}

/** Steps of a screen as entries of the browser's history, so that its back and forward buttons move between them. */
export function useHistorySteps(): HistorySteps {
  const wanted = useLocation().state.step
  const cameFrom = useLocation().state.cameFrom
  const { history } = useRouter()
  const navigate = useNavigate()

  const go = (step: number, { from, path = '.', replace = false, state }: StepChange = {}) => {
    // An entry that asks for more than can be shown, for example after a reload, makes room for the truth.
    const untrue = from !== undefined && wanted !== undefined && wanted > from
    const isNew = !replace && !untrue
    void navigate({
      to: path,
      replace: !isNew,
      state: (kept) => ({
        ...kept,
        ...state,
        step,
        cameFrom: isNew || kept.cameFrom === from ? from : undefined,
      }),
    })
  }

  return {
    wanted,
    go,
    back(step, change) {
      if (cameFrom === step) history.back()
      else go(step, { ...change, replace: true })
    },
  }
}
