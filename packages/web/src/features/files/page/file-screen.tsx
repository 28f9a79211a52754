import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileDetail } from '@gatehouse/contract/files/file-items'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFolderOpen from '@tabler/icons-react/dist/esm/icons/IconFolderOpen.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'

import { fileSize } from '../../../i18n/file-size.ts'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { hasPermission } from '../../../platform/session/auth.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { ActionMenu } from '../../../ui/buttons/action-menu.tsx'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { PageHead, type TrailStep } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { type Tab, Tabs } from '../../../ui/page/tabs.tsx'
import { downloadItems, itemPath } from '../calls.ts'
import { type Ask, useItemDialogs } from '../list/item-dialogs.tsx'
import { itemActions } from '../list/item-menu.tsx'
import { PreviewSlot } from '../preview/preview-slot.tsx'
import { LinkSection } from '../sharing/link-section.tsx'
import { PeopleSection } from '../sharing/people-section.tsx'
import { UploadBar } from '../uploads/upload-bar.tsx'
import { GeneralTab } from './general-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

/** A file or folder with everything the reader may see and do. */
export function FileScreen({ file }: { file: FileDetail }) {
  const t = useT()
  const navigate = useNavigate()
  const trail = trailOf(file, t('words.files'), t('files.shared'))
  const above = trail.at(-1)?.to ?? '/dashboard'
  const { ask, dialog } = useItemDialogs({
    folder: file.isOwner ? (file.parents[0] ?? null) : undefined,
    root: file.isOwner ? undefined : file.path[0],
    onGone: () => navigate({ to: above }),
  })
  const isFile = file.type === 'file'
  const tabs: (Tab | false)[] = [
    { name: 'general', label: t('words.general'), content: () => <GeneralTab file={file} /> },
    file.canShare && {
      name: 'sharing',
      label: t('files.sharing'),
      content: () => <SharingTab file={file} />,
    },
    isFile &&
      file.canUpdate && {
        name: 'versions',
        label: t('files.versions'),
        count: file.isOwner ? file.versions : undefined,
        content: () => <VersionsTab file={file} />,
      },
    file.isOwner && { name: 'history', label: t('words.history'), content: () => <HistoryTab file={file} /> },
  ]
  return (
    <>
      <PageHead
        title={file.name}
        trail={trail}
        facts={factsOf(t, file)}
        actions={<Actions file={file} ask={ask} />}
      />
      <Tabs label={t('files.parts')} tabs={tabs.filter((tab) => tab !== false)} outside keep={[]} />
      <UploadBar />
      <PreviewSlot />
      {dialog}
    </>
  )
}

function factsOf(t: ReturnType<typeof useT>, file: FileDetail): string {
  const owner =
    file.owner && t('files.ownedBy', { name: file.owner.name || displayAddress(file.owner.email) })
  const rights =
    file.share && t(file.share.permissions === 'read-write' ? 'files.readWrite' : 'files.readOnly')
  const size = file.type === 'file' ? fileSize(file.size) : t('files.folder')
  return [size, moment(file.mtime), owner, rights].filter(Boolean).join(' · ')
}

function trailOf(file: FileDetail, own: string, shared: string): TrailStep[] {
  if (!hasPermission('files')) return []
  const first = file.isOwner ? { label: own, to: '/files' } : { label: shared, to: '/files/shared' }
  return [
    first,
    ...file.path.map(({ id, name }) => ({ label: name, to: itemPath({ id, type: 'collection' }) })),
  ]
}

function Actions({ file, ask }: { file: FileDetail; ask: Ask }) {
  const t = useT()
  const isLocked = file.scan === 'infected' || (file.scan === 'waiting' && !file.isOwner)
  return (
    <>
      <ActionMenu
        compact
        icon={IconDots}
        label={t('words.actionsFor', { name: file.name })}
        actions={itemActions(t, file, ask).filter(({ label }) => label !== t('words.download'))}
      />
      {file.canDelete && (
        <Button variant="danger-outline" icon={IconTrash} onPress={() => ask('delete', [file])}>
          {t('words.delete')}
        </Button>
      )}
      {file.type === 'collection' && (
        <ButtonLink to={itemPath(file)} icon={IconFolderOpen}>
          {t('files.openFolder')}
        </ButtonLink>
      )}
      <Button variant="primary" icon={IconDownload} disabled={isLocked} onPress={() => downloadItems([file])}>
        {t('words.download')}
      </Button>
    </>
  )
}

function SharingTab({ file }: { file: FileDetail }) {
  const t = useT()
  return (
    <div className="columns columns-even">
      <Panel title={t('words.people')}>
        <div className="stack">
          <p className="text-2 small">{t('files.peopleHint')}</p>
          <PeopleSection item={file} />
        </div>
      </Panel>
      <Panel title={t('files.links')}>
        <div className="stack">
          <LinkSection item={file} />
        </div>
      </Panel>
    </div>
  )
}
