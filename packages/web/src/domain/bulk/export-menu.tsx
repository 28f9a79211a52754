import type { RouteKey } from '@gatehouse/contract/routes'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { ActionMenu } from '../../ui/buttons/action-menu.tsx'

/** Calls that send a list as a file. */
type ExportRoute = Extract<
  RouteKey,
  | 'GET /api/v4/users/export'
  | 'GET /api/v4/domains/export'
  | 'GET /api/v4/groups/export'
  | 'GET /api/v4/resources/export'
  | 'GET /api/v4/shared-folders/export'
>

export interface ExportMenuProps {
  route: ExportRoute
  /** What the list is narrowed to. */
  search: string
  status: string | undefined
}

/** Saves a list as it is narrowed now, all its pages, as a file. */
export function ExportMenu({ route, search, status }: ExportMenuProps) {
  const t = useT()
  const save = (more: { bom?: '1'; by?: 'member' }) => () =>
    // The states of the list are those of its export, which a generic route cannot tell.
    download<RouteKey>(route, {
      query: { search: search || undefined, status, ...more } as Record<string, string | undefined>,
    })
  return (
    <ActionMenu
      label={t('bulk.export')}
      busyLabel={t('bulk.exporting')}
      icon={IconDownload}
      actions={[
        { label: t('bulk.exportCsv'), onPress: save({}) },
        { label: t('bulk.exportExcel'), onPress: save({ bom: '1' }) },
        ...(route === 'GET /api/v4/groups/export'
          ? [{ label: t('bulk.exportMembers'), onPress: save({ by: 'member' }) }]
          : []),
      ]}
    />
  )
}
