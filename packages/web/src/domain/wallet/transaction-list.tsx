import type { Transaction, entryTypes as types } from '@gatehouse/contract/billing/wallets'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { balance, day, moment, number, signedPrice, toDate } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { download } from '../../platform/api/download.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import { variant } from '../../platform/config.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataList } from '../../ui/data-table/data-list.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { firstMoment, lastMoment } from '../../ui/data-table/day-bounds.ts'
import { DayFilter, isDay } from '../../ui/data-table/day-filter.tsx'
import { ListFilter } from '../../ui/data-table/list-filter.tsx'
import { useListPlace } from '../../ui/data-table/list-place.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { EntryDetails } from './entry-details.tsx'
import './entries.css'

// Importing the contract's array would pull its validator into the bundle.
const entryTypes = [
  'credit',
  'debit',
  'award',
  'refund',
  'chback',
  'penalty',
] as const satisfies readonly (typeof types)[number][]

const typeLabels: Record<(typeof entryTypes)[number], MessageKey> = {
  credit: 'wallet.typeCredit',
  debit: 'wallet.typeDebit',
  award: 'wallet.typeAward',
  refund: 'wallet.typeRefund',
  chback: 'wallet.typeChargeback',
  penalty: 'wallet.typePenalty',
}

const options = {
  sorts: ['time'],
  filters: { type: entryTypes, from: isDay, to: isDay },
  order: 'desc',
} as const

type Navigation = ReturnType<typeof useListPlace<'time', typeof options.filters>>

/** All transactions, newest first. */
export function TransactionList({ id }: { id: string }) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, filters } = navigation.place
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const narrowed = { type: filters.type ?? null, from: firstMoment(filters.from), to: lastMoment(filters.to) }
  const query = useApiPage(
    'GET /api/v4/wallets/{id}/transactions',
    {
      params: { id },
      query: { page, size, ...narrowed },
    },
    { staleTime: 0 },
  )
  const toggle = (entry: string) => {
    const next = new Set(open)
    if (!next.delete(entry)) next.add(entry)
    setOpen(next)
  }
  const save = () =>
    download('GET /api/v4/wallets/{id}/transactions/csv', { params: { id }, query: narrowed })
  return (
    <DataList
      label={t('words.history')}
      columns={useColumns(open, toggle)}
      rowKey={(entry) => entry.id}
      detail={(entry) => (open.has(entry.id) ? <EntryDetails id={id} entry={entry} /> : undefined)}
      query={query}
      navigation={navigation}
      tools={
        <>
          <Filters navigation={navigation} />
          <span className="spacer" />
          <Button icon={IconDownload} onPress={save}>
            {t('wallet.csv')}
          </Button>
        </>
      }
      empty={<EmptyState title={t('wallet.historyEmpty')}>{t('wallet.historyEmptyText')}</EmptyState>}
    />
  )
}

function Filters({ navigation: { place, go } }: { navigation: Navigation }) {
  const t = useT()
  const { filters } = place
  const narrow = (change: Partial<typeof filters>) =>
    go((latest) => ({ filters: { ...latest.filters, ...change } }))
  return (
    <>
      <ListFilter
        label={t('wallet.type')}
        all={t('words.all')}
        options={entryTypes.map((type) => ({ value: type, label: t(typeLabels[type]) }))}
        value={filters.type}
        onFilter={(value) => narrow({ type: entryTypes.find((type) => type === value) })}
      />
      <DayFilter
        label={t('words.from')}
        value={filters.from}
        max={filters.to}
        onFilter={(from) => narrow({ from })}
      />
      <DayFilter
        label={t('words.to')}
        value={filters.to}
        min={filters.from}
        onFilter={(to) => narrow({ to })}
      />
    </>
  )
}

function useColumns(
  open: ReadonlySet<string>,
  toggle: (entry: string) => void,
): readonly Column<Transaction>[] {
  const t = useT()
  return [
    {
      name: 'time',
      label: t('words.date'),
      phone: 'hidden',
      width: '21%',
      cell: ({ createdAt }) => <span className="text-2 nowrap">{moment(createdAt)}</span>,
    },
    {
      name: 'description',
      label: t('words.description'),
      phone: 'main',
      cell: ({ description, number: place, createdAt }) => (
        <>
          <span className="medium">{description}</span>
          <span className="data-second">
            {place !== undefined && t('wallet.entryNumber', { number: number(place) })}
            <span className="wallet-phone"> · {day(toDate(createdAt))}</span>
          </span>
        </>
      ),
    },
    // customers don't see which staff member it was
    ...(variant() === 'user' ? [] : [actorColumn(t)]),
    {
      name: 'amount',
      label: t('words.amount'),
      phone: 'aside',
      align: 'end',
      cell: ({ amount, currency }) => <Amount cents={amount} currency={currency} />,
    },
    {
      name: 'balance',
      label: t('wallet.balance'),
      phone: 'hidden',
      align: 'end',
      cell: ({ balance: after, currency }) =>
        after === undefined ? null : (
          <span className={after < 0 ? 'negative' : 'text-2'}>{balance(after, currency)}</span>
        ),
    },
    {
      name: 'details',
      label: t('wallet.details'),
      phone: 'aside',
      align: 'end',
      width: '64px',
      cell: (entry) => (
        <span className="wallet-toggle">
          {entry.hasDetails && (
            <Button
              variant="quiet"
              icon={open.has(entry.id) ? IconChevronUp : IconChevronDown}
              label={t('wallet.detailsOf', { name: entry.description, date: day(toDate(entry.createdAt)) })}
              aria-expanded={open.has(entry.id)}
              onPress={() => toggle(entry.id)}
            />
          )}
        </span>
      ),
    },
  ]
}

function actorColumn(t: Translate): Column<Transaction> {
  return {
    name: 'actor',
    label: t('words.who'),
    phone: 'meta',
    cell: ({ user }) => user && <span className="text-2">{user}</span>,
  }
}

/** Signed amount; credits are green, debits have the text colour. */
function Amount({ cents, currency }: { cents: number; currency: string }) {
  return <span className={cents < 0 ? undefined : 'positive'}>{signedPrice(cents, currency)}</span>
}
