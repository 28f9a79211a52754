import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Facts } from '../../ui/facts/facts.tsx'
import { StatusChip } from '../../ui/facts/status-chip.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { Detail } from './kind-calls.ts'

export interface GlanceProps {
  object: Detail<DirectoryKind>
  /** Facts of the kind. */
  more?: readonly { label: string; value: string }[]
}

/** An object's read-only facts. */
export function Glance({ object, more = [] }: GlanceProps) {
  const t = useT()
  const facts = [
    { label: t('words.status'), value: <StatusChip of={object} /> },
    ...more,
    { label: t('words.created'), value: day(object.created_at) },
    { label: t('words.lastChanged'), value: day(object.updated_at) },
  ]
  return (
    <Panel title={t('words.atAGlance')}>
      <Facts facts={facts} />
    </Panel>
  )
}
