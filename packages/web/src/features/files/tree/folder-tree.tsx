import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isPlainKey } from '../../../ui/keyboard/next-stop.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'

export interface FolderTreeProps {
  /** Root of the tree, if not the user's own root. */
  root?: { id: string; name: string }
  /** Folders that are no valid targets, including everything below them. */
  closed: ReadonlySet<string>
  chosen: string | null | undefined
  onChoose: (folder: string | null) => void
}

/** A lazy-loaded folder tree. Arrow keys move the focus and open and close branches. */
export function FolderTree({ root, closed, chosen, onChoose }: FolderTreeProps) {
  const t = useT()
  const tree = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string | null>>(new Set([root?.id ?? null]))
  // where Tab enters the tree: the last focused folder
  const [stop, setStop] = useState(root?.id ?? null)
  const toggle = (id: string | null, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(id)
    else next.delete(id)
    setOpen(next)
    // the last focused folder may be below this one
    if (!isOpen) setStop(id)
  }
  const branch = { open, toggle, closed, chosen, stop, onChoose }

  useEffect(() => {
    // after the surrounding dialog has taken the focus
    queueMicrotask(() => tree.current?.querySelector<HTMLElement>('[role="treeitem"]')?.focus())
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role="treeitem"]') ?? [])]
    const at = items.findIndex((item) => item.matches(':focus'))
    const item = items[at]
    if (!item || !isPlainKey(event)) return
    const isOpen = item.getAttribute('aria-expanded') === 'true'
    const id = item.dataset.folder || null
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (next !== undefined) items[next]?.focus()
    else if (event.key === 'ArrowRight' && !isOpen) toggle(id, true)
    else if (event.key === 'ArrowRight') childOf(item)?.focus()
    else if (event.key === 'ArrowLeft' && isOpen) toggle(id, false)
    else if (event.key === 'ArrowLeft') parentOf(item)?.focus()
    else if ((event.key === 'Enter' || event.key === ' ') && item.getAttribute('aria-disabled') !== 'true')
      onChoose(id)
    else if (/^[\p{L}\p{N}]$/u.test(event.key)) byLetter(items, at, event.key)?.focus()
    else return
    event.preventDefault()
  }

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const item = event.target.closest<HTMLElement>('[role="treeitem"]')
    if (item) setStop(item.dataset.folder || null)
  }

  return (
    <ul
      ref={tree}
      className="files-tree"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA tree pattern is a list of lists
      role="tree"
      aria-label={t('words.folders')}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <Branch id={root?.id ?? null} name={root?.name ?? t('words.files')} level={1} {...branch} />
    </ul>
  )
}

/** Returns the parent folder. */
function parentOf(item: HTMLElement): HTMLElement | null | undefined {
  const above = item.closest('li')?.parentElement?.closest('li')
  return above?.querySelector<HTMLElement>(':scope > [role="treeitem"]')
}

/** Returns the first subfolder of an open folder, if any. */
function childOf(item: HTMLElement): HTMLElement | null | undefined {
  return item.closest('li')?.querySelector<HTMLElement>(':scope > [role="group"] [role="treeitem"]')
}

/** Returns the next folder whose name starts with a letter. */
function byLetter(items: readonly HTMLElement[], at: number, letter: string): HTMLElement | undefined {
  const wanted = letter.toLocaleLowerCase()
  const inOrder = [...items.slice(at + 1), ...items.slice(0, at)]
  return inOrder.find((item) => item.querySelector('bdi')?.textContent.toLocaleLowerCase().startsWith(wanted))
}

interface BranchProps extends Pick<FolderTreeProps, 'closed' | 'chosen' | 'onChoose'> {
  id: string | null
  name: string
  level: number
  stop: string | null
  open: ReadonlySet<string | null>
  toggle: (id: string | null, isOpen: boolean) => void
}

function Branch({ id, name, level, ...branch }: BranchProps) {
  const { open, toggle, closed, chosen, stop, onChoose } = branch
  const t = useT()
  const isClosed = id !== null && closed.has(id)
  const isOpen = open.has(id) && !isClosed
  const isChosen = chosen !== undefined && chosen === id
  return (
    <li role="none">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the tree */}
      <div
        role="treeitem"
        data-folder={id ?? ''}
        aria-level={level}
        aria-expanded={isOpen}
        aria-selected={isChosen}
        aria-disabled={isClosed || undefined}
        tabIndex={stop === id ? 0 : -1}
        className={isChosen ? 'files-tree-row files-tree-chosen' : 'files-tree-row'}
        onClick={() => {
          if (!isClosed) onChoose(id)
        }}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
        <span
          className="files-tree-twist"
          onClick={(event) => {
            event.stopPropagation()
            if (!isClosed) toggle(id, !isOpen)
          }}
        >
          <Icon of={isOpen ? IconChevronDown : IconChevronRight} size="small" />
        </span>
        <Icon of={IconFolder} />
        <bdi className="truncate">{name}</bdi>
        {isClosed && <span className="small text-3">{t('files.isMoved')}</span>}
      </div>
      {isOpen && <Branches id={id} level={level + 1} {...branch} />}
    </li>
  )
}

function Branches({ id, level, ...branch }: Omit<BranchProps, 'name'>) {
  const t = useT()
  const query = { parent: id, type: 'collection', size: 500 }
  const { data, isError, refetch } = useApi('GET /api/v4/fs', { query })
  if (isError) return <LoadFailed onRetry={refetch} />
  if (!data) return <p className="files-tree-note">{t('load.running')}</p>
  if (data.list.length === 0) return <p className="files-tree-note">{t('files.noFolders')}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a branch of a tree groups its items
    <ul role="group">
      {data.list.map((folder) => (
        <Branch key={folder.id} id={folder.id} name={folder.name} level={level} {...branch} />
      ))}
    </ul>
  )
}
