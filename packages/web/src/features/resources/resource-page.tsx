import { useQuery } from '@tanstack/react-query'
import { NewObjectPage } from '../../domain/directory/new-object.tsx'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { NewResource } from './new-resource.tsx'
import { resourceKind, resourceQuery } from './resource-kind.ts'
import { ResourceScreen } from './resource-screen.tsx'

/** The page of one resource, or that of one that is still to be made. */
export function ResourcePage() {
  return (
    <ObjectRoute
      param="resource"
      new={() => (
        <NewObjectPage kind={resourceKind}>{(domains) => <NewResource domains={domains} />}</NewObjectPage>
      )}
      object={(id) => <LoadedResource key={id} id={id} />}
    />
  )
}

function LoadedResource({ id }: { id: string }) {
  const query = useQuery(resourceQuery(id))
  return <ObjectLoader query={query}>{(resource) => <ResourceScreen resource={resource} />}</ObjectLoader>
}
