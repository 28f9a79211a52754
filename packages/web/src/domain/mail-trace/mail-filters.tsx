import {
  type MailDirection,
  type MailOutcome,
  mailDirections,
  mailOutcomes,
} from '@gatehouse/contract/mail/mail-outcomes'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { DayFilter } from '../../ui/data-table/day-filter.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { ListSearch } from '../../ui/data-table/list-search.tsx'
import { outcomeLabels } from './outcome-chip.tsx'

/** What a list of messages is narrowed to. */
export interface MailFilterValues {
  readonly person?: string | undefined
  readonly direction?: MailDirection | undefined
  readonly outcome?: MailOutcome | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface MailFiltersProps {
  filters: MailFilterValues
  onNarrow: (change: MailFilterValues) => void
}

const directionLabels: Readonly<Record<MailDirection, MessageKey>> = {
  in: 'mailtrace.in',
  out: 'mailtrace.out',
}

/** Search by person, and filters by direction, result and days. */
export function MailFilters({ filters, onNarrow }: MailFiltersProps) {
  const t = useT()
  const { person, direction, outcome, from, to } = filters
  return (
    <>
      <ListSearch
        label={t('mailtrace.person')}
        placeholder={t('mailtrace.personPlaceholder')}
        value={person ?? ''}
        maxLength={320}
        onSearch={(text) => onNarrow({ person: text === '' ? undefined : text })}
      />
      <ListFilter
        label={t('mailtrace.direction')}
        all={t('words.all')}
        options={mailDirections.map((value) => ({ value, label: t(directionLabels[value]) }))}
        value={direction}
        onFilter={(value) => onNarrow({ direction: value })}
      />
      <ListFilter
        label={t('words.outcome')}
        all={t('words.all')}
        options={mailOutcomes.map((value) => ({ value, label: t(outcomeLabels[value]) }))}
        value={outcome}
        onFilter={(value) => onNarrow({ outcome: value })}
      />
      <DayFilter
        label={t('words.from')}
        value={from}
        {...(to !== undefined && { max: to })}
        onFilter={(value) => onNarrow({ from: value })}
      />
      <DayFilter
        label={t('words.to')}
        value={to}
        {...(from !== undefined && { min: from })}
        onFilter={(value) => onNarrow({ to: value })}
      />
    </>
  )
}
