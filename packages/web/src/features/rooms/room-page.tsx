import { useQuery } from '@tanstack/react-query'
import { objectQuery } from '../../domain/directory/kind-calls.ts'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { NewRoomPage } from './new-room.tsx'
import { liveEvery } from './room-kind.ts'
import { RoomScreen } from './room-screen.tsx'
import '../../domain/directory/directory.css'
import './rooms.css'

/** Page of a room, or of a new one. */
export function RoomPage() {
  return <ObjectRoute new={() => <NewRoomPage />} object={(id) => <LoadedRoom key={id} id={id} />} />
}

function LoadedRoom({ id }: { id: string }) {
  const query = useQuery({ ...objectQuery('room', id), refetchInterval: liveEvery })
  return (
    <SaveScope>
      <ObjectLoader query={query}>{(room) => <RoomScreen room={room} />}</ObjectLoader>
    </SaveScope>
  )
}
