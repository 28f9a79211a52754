import { useParams } from '@tanstack/react-router'
import { FolderScreen } from './list/folder-screen.tsx'
import { SharedScreen } from './list/shared-screen.tsx'
import { TrashScreen } from './trash/trash-screen.tsx'
import './files.css'

/** One's own files, what others share, and the trash. */
export function FilesPage() {
  const { parent } = useParams({ strict: false })
  if (parent === 'shared') return <SharedScreen />
  if (parent === 'trash') return <TrashScreen />
  return <FolderScreen key={parent ?? ''} parent={parent ?? null} />
}
