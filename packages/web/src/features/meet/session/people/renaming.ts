import { createStore } from '../../../../state/store.ts'
import { useMeeting } from '../meeting-context.ts'

/** Whether the user is editing their own name in the list of people. */
export const renaming = createStore(false)

/** Opens the list of people with the user's own name in edit mode. */
export function useRenaming(): () => void {
  const meeting = useMeeting()
  return () => {
    meeting.act({ type: 'panel', panel: 'people' })
    renaming.set(true)
  }
}
