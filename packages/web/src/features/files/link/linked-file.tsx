import type { LinkedItem } from '@gatehouse/contract/files/file-shares'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { fileSize } from '../../../i18n/file-size.ts'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Facts } from '../../../ui/facts/facts.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import type { LinkActs } from './opened-link.tsx'

/** A single file opened by a link. */
export function LinkedFile({ item, acts: { preview } }: { item: LinkedItem; acts: LinkActs }) {
  const t = useT()
  return (
    <Panel
      title={t('files.facts')}
      actions={
        item.hasPreview &&
        preview && (
          <Button size="small" icon={IconEye} onPress={() => preview(item, [item])}>
            {t('words.preview')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { label: t('words.name'), value: <bdi>{item.name}</bdi> },
          { label: t('words.type'), value: item.mimetype ?? t('words.unknown') },
          { label: t('files.size'), value: fileSize(item.size) },
          { label: t('words.changed'), value: moment(item.mtime) },
        ]}
      />
    </Panel>
  )
}
