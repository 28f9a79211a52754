import { useQuery } from '@tanstack/react-query'
import { NewObjectPage } from '../../domain/directory/new-object.tsx'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { folderKind, folderQuery } from './folder-kind.ts'
import { FolderScreen } from './folder-screen.tsx'
import { NewFolder } from './new-folder.tsx'

/** The page of one shared folder, or that of one that is still to be made. */
export function FolderPage() {
  return (
    <ObjectRoute
      param="folder"
      new={() => (
        <NewObjectPage kind={folderKind}>{(domains) => <NewFolder domains={domains} />}</NewObjectPage>
      )}
      object={(id) => <LoadedFolder key={id} id={id} />}
    />
  )
}

function LoadedFolder({ id }: { id: string }) {
  const query = useQuery(folderQuery(id))
  return <ObjectLoader query={query}>{(folder) => <FolderScreen folder={folder} />}</ObjectLoader>
}
