import { useParams } from '../../router/router-context.tsx'
import { FolderScreen } from './list/folder-screen.tsx'
import { SharedScreen } from './list/shared-screen.tsx'
import { TrashScreen } from './trash/trash-screen.tsx'
import './files.css'

/** The user's own files, files shared with them, and the trash. */
export function FilesPage() {
  const { parent } = useParams()
  if (parent === 'shared') return <SharedScreen />
  if (parent === 'trash') return <TrashScreen />
  return <FolderScreen key={parent ?? ''} parent={parent ?? null} />
}
