import { Component, type ComponentType, type ReactNode } from 'react'
import type { Shown } from './router.ts'

export interface ScreenFailure {
  error: unknown
  /** Retries the screen. */
  reset: () => void
}

export type ScreenFailed = ComponentType<ScreenFailure>

interface Props {
  Failed: ScreenFailed
  /** A new value resets the error. */
  shown: Shown<unknown> | undefined
  children: ReactNode
}

interface State {
  failure: { error: unknown } | undefined
  shown: Shown<unknown> | undefined
}

/** Error boundary for screens that failed or may not be shown. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = { failure: undefined, shown: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ shown }: Props, state: State): Partial<State> | null {
    return shown === state.shown ? null : { shown, failure: undefined }
  }

  override render(): ReactNode {
    const { Failed, shown, children } = this.props
    const { failure } = this.state
    if (failure) return <Failed error={failure.error} reset={() => this.setState({ failure: undefined })} />
    return shown?.failure === undefined ? children : <Thrown error={shown.failure} />
  }
}

/** Throws a route's failure into the boundary, which also handles errors of screens. */
function Thrown({ error }: { error: unknown }): never {
  throw error
}
