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

/** Converts an earlier hit to an option. */
export function hitOption(t: Translate, hit: SearchHit, selfId?: number): Option {
  return { ...foundOption(hit, selfId), kind: t(looks[hit.type].kind) }
}

/** Converts a search hit to an option; the user's own account has its own page. */
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

/** Filters an earlier response that is still shown by the text typed since. */
export function stillFits(hits: readonly SearchHit[], text: string): SearchHit[] {
  const wanted = foldText(text)
  return hits.filter(({ title, detail }) => foldText(`${title} ${detail ?? ''}`).includes(wanted))
}

/**
 * Converts a file or folder of the signed-in user to an option. It isn't remembered, as its name may be
 * private.
 */
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

/** Heading of a kind; staff see users as customers. */
export function headingOf(kind: FoundKind, isStaff: boolean): MessageKey {
  if (kind === 'file') return 'words.files'
  return kind === 'user' && isStaff ? 'cockpit.customers' : looks[kind].heading
}

/** Groups hits by kind, the kind of the best hit first, under the heading of their kind. */
export function hitGroups(hits: readonly SearchHit[], selfId?: number): Group[] {
  const kinds = [...new Set(hits.map(({ type }) => type))]
  return kinds.map((name) => ({
    name,
    options: hits.filter(({ type }) => type === name).map((hit) => foundOption(hit, selfId)),
  }))
}
