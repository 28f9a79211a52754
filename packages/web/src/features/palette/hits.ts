import type { FileItem } from '@gatehouse/contract/files/file-items'
import type { SearchHit, SearchType } from '@gatehouse/contract/search'
import IconDoor from '@tabler/icons-react/dist/esm/icons/IconDoor.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import type { Translate } from '../../i18n/i18n.ts'
import type { Glyph } from '../../ui/icon.tsx'
import { type Option, plain } from './option.ts'

const looks: Record<SearchType, { icon: Glyph; kind: MessageKey; path: string }> = {
  user: { icon: IconUser, kind: 'words.user', path: '/user' },
  domain: { icon: IconWorld, kind: 'words.domain', path: '/domain' },
  distlist: { icon: IconList, kind: 'title.distlist', path: '/distlist' },
  resource: { icon: IconDoor, kind: 'words.resource', path: '/resource' },
  folder: { icon: IconFolder, kind: 'words.sharedFolder', path: '/shared-folder' },
  room: { icon: IconVideo, kind: 'title.room', path: '/room' },
}

/** What the search has found as something to choose; the own account has a page of its own. */
export function hitOption(t: Translate, { type, id, title, detail }: SearchHit, selfId?: number): Option {
  const { icon, kind, path } = looks[type]
  return {
    key: `${type} ${id}`,
    title,
    ...(detail !== null && { detail }),
    kind: t(kind),
    icon,
    to: type === 'user' && id === selfId ? '/settings' : `${path}/${id}`,
  }
}

/** Of an earlier answer that is still shown only what fits what is typed by now. */
export function stillFits(hits: readonly SearchHit[], text: string): SearchHit[] {
  const wanted = plain(text)
  return hits.filter(({ title, detail }) => plain(`${title} ${detail ?? ''}`).includes(wanted))
}

/** A file or folder of who is signed in, as something to choose. It is not remembered: its name may be nobody else's to see. */
export function fileOption(t: Translate, { id, name, type }: FileItem): Option {
  const isFolder = type === 'collection'
  return {
    key: `file ${id}`,
    title: name,
    kind: t(isFolder ? 'words.files' : 'words.file'),
    icon: isFolder ? IconFolder : IconFile,
    to: `${isFolder ? '/files' : '/file'}/${id}`,
    isPassing: true,
  }
}
