import { useQuery } from '@tanstack/react-query'
import { NewObjectPage } from '../../domain/directory/new-object.tsx'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { distlistKind, distlistQuery } from './distlist-kind.ts'
import { DistlistScreen } from './distlist-screen.tsx'
import { NewDistlist } from './new-distlist.tsx'

/** The page of one distribution list, or that of one that is still to be made. */
export function DistlistPage() {
  return (
    <ObjectRoute
      param="list"
      new={() => (
        <NewObjectPage kind={distlistKind}>{(domains) => <NewDistlist domains={domains} />}</NewObjectPage>
      )}
      object={(id) => <LoadedDistlist key={id} id={id} />}
    />
  )
}

function LoadedDistlist({ id }: { id: string }) {
  const query = useQuery(distlistQuery(id))
  return <ObjectLoader query={query}>{(list) => <DistlistScreen list={list} />}</ObjectLoader>
}
