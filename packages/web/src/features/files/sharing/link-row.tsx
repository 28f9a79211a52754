import type { FileLink } from '@gatehouse/contract/files/file-shares'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { moment, number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyValue } from '../../../ui/buttons/copy-value.tsx'
import { Tag } from '../../../ui/page/panel.tsx'

export interface LinkRowProps {
  link: FileLink
  onEdit: () => void
  onEnd: () => void
}

/** A link: its URL, limits and usage. */
export function LinkRow({ link, onEdit, onEnd }: LinkRowProps) {
  const t = useT()
  return (
    <li className="share-link">
      <span className="share-who">
        <CopyValue text={link.link} label={t('files.copyLink')} />
        <span className="row wrap small text-3">
          {!link.isOpen && <Tag>{t('words.closed')}</Tag>}
          <span>{linkFacts(t, link).join(' · ')}</span>
        </span>
      </span>
      <Button size="small" variant="quiet" icon={IconPencil} label={t('files.editLink')} onPress={onEdit} />
      <Button size="small" variant="quiet" icon={IconTrash} label={t('files.endLink')} onPress={onEnd} />
    </li>
  )
}

/** Describes the limits of a link. */
function linkFacts(
  t: Translate,
  { hasPassword, expires_at, max_downloads, downloads, last_used_at }: FileLink,
): string[] {
  const used =
    max_downloads === null
      ? t('files.downloads', { count: downloads, number: number(downloads) })
      : t('files.downloadsOf', { number: number(downloads), max: number(max_downloads) })
  return [
    expires_at === null ? t('files.endsNever') : t('files.endsAt', { time: moment(expires_at) }),
    ...(hasPassword ? [t('files.withPassword')] : []),
    used,
    ...(last_used_at === null ? [] : [t('files.lastUsed', { time: moment(last_used_at) })]),
  ]
}
