import { createContext, useContext } from 'react'
import { useStore } from '../../../state/store.ts'
import type { RemoteSource } from '../room/media-port.ts'
import type { Meeting } from '../room/meeting.ts'
import { peerOf } from '../room/room-reducer.ts'
import type { RoomState } from '../room/room-state.ts'

/** The current meeting. */
export const MeetingContext = createContext<Meeting | undefined>(undefined)

export function useMeeting(): Meeting {
  const meeting = useContext(MeetingContext)
  if (!meeting) throw new Error('useMeeting must be used inside a meeting')
  return meeting
}

/** Returns the meeting's state; rerenders on each change. */
export function useRoom(): RoomState {
  return useStore(useMeeting().room)
}

/** Returns the user's own participant, once the meeting's state has arrived. */
export function useMe() {
  const room = useRoom()
  return peerOf(room, room.me)
}

/** Returns a received source of another participant, if any. */
export function useRemote(peer: string, source: RemoteSource['source']): RemoteSource | undefined {
  return useStore(useMeeting().remotes, (remotes) =>
    remotes.find((one) => one.peer === peer && one.source === source),
  )
}
