import { createContext, useContext } from 'react'
import { useStore } from '../../../state/store.ts'
import type { RemoteSource } from '../room/media-port.ts'
import type { Meeting } from '../room/meeting.ts'
import { peerOf } from '../room/room-reducer.ts'
import type { RoomState } from '../room/room-state.ts'

/** The meeting that the screen is about. */
export const MeetingContext = createContext<Meeting | undefined>(undefined)

export function useMeeting(): Meeting {
  const meeting = useContext(MeetingContext)
  if (!meeting) throw new Error('useMeeting must be used inside a meeting')
  return meeting
}

/** Everything about the meeting; the component is rendered again with each change. */
export function useRoom(): RoomState {
  return useStore(useMeeting().room)
}

/** Oneself, once the meeting is known. */
export function useMe() {
  const room = useRoom()
  return peerOf(room, room.me)
}

/** A source of somebody else, if it is received. */
export function useRemote(peer: string, source: RemoteSource['source']): RemoteSource | undefined {
  return useStore(useMeeting().remotes, (remotes) =>
    remotes.find((one) => one.peer === peer && one.source === source),
  )
}
