import { createStore } from '../../../../state/store.ts'
import { useMeeting } from '../meeting-context.ts'

/** The own name is being changed, in the list of people. */
export const renaming = createStore(false)

/** Opens the list of people with the own name ready to be changed. */
export function useRenaming(): () => void {
  const meeting = useMeeting()
  return () => {
    meeting.act({ type: 'panel', panel: 'people' })
    renaming.set(true)
  }
}
