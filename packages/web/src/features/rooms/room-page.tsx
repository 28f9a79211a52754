import { useQuery } from '@tanstack/react-query'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { NewRoomPage } from './new-room.tsx'
import { liveEvery, roomQuery } from './room-kind.ts'
import { RoomScreen } from './room-screen.tsx'
import '../../domain/directory/directory.css'
import './rooms.css'

/** The page of one room, or that of one that is still to be made. */
export function RoomPage() {
  return (
    <ObjectRoute param="room" new={() => <NewRoomPage />} object={(id) => <LoadedRoom key={id} id={id} />} />
  )
}

function LoadedRoom({ id }: { id: string }) {
  const query = useQuery({ ...roomQuery(id), refetchInterval: liveEvery })
  return <ObjectLoader query={query}>{(room) => <RoomScreen room={room} />}</ObjectLoader>
}
