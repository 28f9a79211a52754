import type { RouteKey } from '@gatehouse/contract/routes'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { ActionMenu } from '../../ui/buttons/action-menu.tsx'

/** Calls that return a list as a file. */
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
  /** The list's filter. */
  search: string
  status: string | undefined
}

/** Downloads the filtered list, with all its pages, as a file. */
export function ExportMenu({ route, search, status }: ExportMenuProps) {
  const t = useT()
  const save = (more: { bom?: '1'; by?: 'member' }) => () =>
    // The list and its export have the same states, which a generic route can't express.
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
