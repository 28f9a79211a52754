import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileItem } from '@gatehouse/contract/files/file-items'
import { foldText } from '@gatehouse/contract/fold-text'
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
import type { FoundKind, Group, Option } from './option.ts'

const looks: Record<SearchType, { icon: Glyph; kind: MessageKey; heading: MessageKey; path: string }> = {
  user: { icon: IconUser, kind: 'words.user', heading: 'words.users', path: '/user' },
  domain: { icon: IconWorld, kind: 'words.domain', heading: 'words.domains', path: '/domain' },
  distlist: { icon: IconList, kind: 'title.distlist', heading: 'section.distlists', path: '/distlist' },
  resource: { icon: IconDoor, kind: 'words.resource', heading: 'words.resources', path: '/resource' },
  folder: {
    icon: IconFolder,
    kind: 'words.sharedFolder',
    heading: 'words.sharedFolders',
    path: '/shared-folder',
  },
  room: { icon: IconVideo, kind: 'title.room', heading: 'section.rooms', path: '/room' },
}

/** What was found earlier as something to choose among others. */
export function hitOption(t: Translate, hit: SearchHit, selfId?: number): Option {
  return { ...foundOption(hit, selfId), kind: t(looks[hit.type].kind) }
}

/** What the search has found as something to choose; the own account has a page of its own. */
function foundOption({ type, id, title, detail }: SearchHit, selfId?: number): Option {
  const { icon, path } = looks[type]
  return {
    key: `${type} ${id}`,
    title: displayAddress(title),
    ...(detail !== null && { detail: displayAddress(detail) }),
    icon,
    to: type === 'user' && id === selfId ? '/settings' : `${path}/${id}`,
  }
}

/** Of an earlier answer that is still shown only what fits what is typed by now. */
export function stillFits(hits: readonly SearchHit[], text: string): SearchHit[] {
  const wanted = foldText(text)
  return hits.filter(({ title, detail }) => foldText(`${title} ${detail ?? ''}`).includes(wanted))
}

/** A file or folder of who is signed in, as something to choose. It is not remembered: its name may be nobody else's to see. */
export function fileOption({ id, name, type }: FileItem): Option {
  const isFolder = type === 'collection'
  return {
    key: `file ${id}`,
    title: name,
    icon: isFolder ? IconFolder : IconFile,
    to: `${isFolder ? '/files' : '/file'}/${id}`,
    isPassing: true,
  }
}

/** The heading of a kind; staff see users as customers. */
export function headingOf(kind: FoundKind, isStaff: boolean): MessageKey {
  if (kind === 'file') return 'words.files'
  return kind === 'user' && isStaff ? 'cockpit.customers' : looks[kind].heading
}

/** What was found by kind, the kind of the best hit first; the heading says what kind it is. */
export function hitGroups(hits: readonly SearchHit[], selfId?: number): Group[] {
  const kinds = [...new Set(hits.map(({ type }) => type))]
  return kinds.map((name) => ({
    name,
    options: hits.filter(({ type }) => type === name).map((hit) => foundOption(hit, selfId)),
  }))
}
