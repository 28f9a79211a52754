import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { StaffFolderDetail } from '@gatehouse/contract/staff/staff-views'
import { anyone, parseAclEntry } from '../../../domain/acl-input/acl.ts'
import { typeLabels } from '../../../domain/directory/folder-types.ts'
import { ObjectLoader, ObjectRoute } from '../../../domain/directory/object-loader.tsx'
import type { MessageKey } from '../../../i18n/areas.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Deletion } from '../shared/deletion.tsx'
import { Restoration } from '../shared/restoration.tsx'
import { SmallTable } from '../shared/small-table.tsx'
import { TextList } from '../shared/text-list.tsx'
import { ObjectFrame } from './object-frame.tsx'

/** A shared folder of a customer, as staff see it. */
export function StaffFolderPage() {
  return <ObjectRoute object={(id) => <Loaded key={id} id={id} />} />
}

function Loaded({ id }: { id: string }) {
  const query = useApi('GET /api/v4/shared-folders/{id} @staff', { params: { id } })
  return <ObjectLoader query={query}>{(folder) => <FolderScreen folder={folder} />}</ObjectLoader>
}

function FolderScreen({ folder }: { folder: StaffFolderDetail }) {
  const t = useT()
  return (
    <ObjectFrame
      object={folder}
      title={displayAddress(folder.email)}
      kind={t('words.sharedFolder')}
      log="shared-folder"
      facts={[
        { label: t('words.name'), value: folder.name },
        { label: t('words.type'), value: t(typeLabels[folder.type]) },
      ]}
      actions={
        <Deletion kind="shared-folders" id={folder.id} name={displayAddress(folder.email)} rights={folder} />
      }
      notes={
        <Restoration
          kind="shared-folders"
          id={folder.id}
          name={displayAddress(folder.email)}
          deletedAt={folder.deleted_at}
          until={folder.restorable_until}
          canRestore={folder.canRestore}
          effects={[t('customer.restoreFolder'), t('customer.restoreCosts')]}
        />
      }
      tabs={[
        { name: 'settings', label: t('words.access'), content: () => <Access acl={folder.config.acl} /> },
        {
          name: 'aliases',
          label: t('words.aliases'),
          count: folder.aliases.length,
          content: () => (
            <TextList
              label={t('words.aliases')}
              entry={t('words.address')}
              entries={folder.aliases.map(displayAddress)}
              none={t('customer.noAliases')}
              noneText={t('customer.noFolderAliasesText')}
            />
          ),
        },
      ]}
    />
  )
}

const rightLabels: Readonly<Record<string, MessageKey>> = {
  'read-only': 'acl.readOnly',
  'read-write': 'acl.readWrite',
  full: 'acl.full',
}

function Access({ acl }: { acl: readonly string[] }) {
  const t = useT()
  const columns: readonly Column<string>[] = [
    {
      name: 'who',
      label: t('words.who'),
      phone: 'main',
      cell: (entry) => {
        const { who } = parseAclEntry(entry)
        return who === anyone ? t('words.everybody') : who
      },
    },
    {
      name: 'right',
      label: t('customer.right'),
      phone: 'aside',
      cell: (entry) => {
        const { right } = parseAclEntry(entry)
        const label = rightLabels[right]
        return label ? t(label) : right
      },
    },
  ]
  return (
    <SmallTable
      label={t('words.access')}
      columns={columns}
      rows={acl}
      rowKey={(entry) => entry}
      empty={<EmptyState title={t('customer.noAccess')}>{t('customer.noAccessText')}</EmptyState>}
    />
  )
}
