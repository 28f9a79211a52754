import { useLocation, useNavigate, useRouter } from '../../router/router-context.tsx'

declare module '../../router/location.ts' {
  interface HistoryState {
    /** Step of a multi-step screen shown by this history entry. */
    step?: number
    /** The previous step; returning to it goes back in the history. */
    cameFrom?: number
  }
}

export interface StepChange {
  /** The current step. */
  from?: number
  /** A separate URL. */
  path?: string
  /** Replaces the current entry, so that the back button doesn't lead here. */
  replace?: boolean
  /** Data for the entry. Later users of the machine can read it, so it must not be secret. */
  state?: Record<string, string | undefined>
}

export interface HistorySteps {
  /** The step requested by the current history entry; the screen decides whether it can be shown. */
  wanted: number | undefined
  go(step: number, change?: StepChange): void
  /** Goes to an earlier step: back in the history if we came from there, so that "forward" returns here. */
  back(step: number, change?: StepChange): void
}

/** Steps of a screen as history entries, so that the back and forward buttons move between them. */
export function useHistorySteps(): HistorySteps {
  const wanted = useLocation().state.step
  const cameFrom = useLocation().state.cameFrom
  const { history } = useRouter()
  const navigate = useNavigate()

  const go = (step: number, { from, path = '.', replace = false, state }: StepChange = {}) => {
    // Replace an entry that requests a step that can't be shown, for example after a reload.
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
