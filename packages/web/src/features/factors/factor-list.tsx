import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { ReactNode } from 'react'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Glyph, Icon } from '../../ui/icon.tsx'

/** A factor as shown in lists. */
export interface ListedFactor {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

export interface FactorListProps<F extends ListedFactor> {
  label: string
  icon: Glyph
  factors: readonly F[]
  /** Shown beside the name. */
  mark?: (factor: F) => ReactNode
  onRename: (factor: F) => void
  onRemove: (factor: F) => void
}

/** Factors of one kind: name, creation date, last use and actions. */
export function FactorList<F extends ListedFactor>(props: FactorListProps<F>) {
  const { label, icon, factors, mark, onRename, onRemove } = props
  const t = useT()
  return (
    <ul className="factor-list" aria-label={label}>
      {factors.map((factor) => (
        <li key={factor.id}>
          <Icon of={icon} />
          <div>
            <p className="row wrap">
              <b>{factor.name}</b>
              {mark?.(factor)}
            </p>
            <p className="small text-3">
              {t('factors.since', { day: day(factor.created_at) })} ·{' '}
              {factor.last_used_at
                ? t('factors.lastUsed', { day: day(factor.last_used_at) })
                : t('factors.neverUsed')}
            </p>
          </div>
          <Button
            variant="quiet"
            icon={IconPencil}
            label={t('words.renameOne', { name: factor.name })}
            onPress={() => onRename(factor)}
          />
          <Button
            variant="quiet"
            icon={IconTrash}
            label={t('words.removeOne', { name: factor.name })}
            onPress={() => onRemove(factor)}
          />
        </li>
      ))}
    </ul>
  )
}
