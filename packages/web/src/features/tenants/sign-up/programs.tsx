import type { ManagedProgram } from '@gatehouse/contract/staff/tenant-sign-up'
import type { Tenant } from '@gatehouse/contract/staff/tenants'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { useTenantPath } from '../use-tenant.tsx'
import { programsQuery, programValues, readProgram } from './programs-query.ts'

/** Programmes that reward customers for referrals. */
export function Programs({ tenant }: { tenant: Tenant }) {
  const t = useT()
  const path = useTenantPath()
  const { data, isError, refetch } = useQuery(programsQuery(tenant.id))
  const columns = useColumns(tenant, data?.currency ?? '')
  if (!data) return isError ? <LoadFailed onRetry={refetch} /> : <SkeletonRows count={3} />
  const create = (
    <ButtonLink to={`${path}/program/new`} size="small" icon={IconPlus}>
      {t('offer.newProgram')}
    </ButtonLink>
  )
  if (data.list.length === 0) {
    return (
      <EmptyState title={t('offer.noPrograms')} action={create}>
        {t('offer.noProgramsText')}
      </EmptyState>
    )
  }
  return (
    <>
      <div className="offer-tools">
        <p className="text-2 small">{t('offer.programsText')}</p>
        {create}
      </div>
      <DataTable
        label={t('words.referralProgrammes')}
        columns={columns}
        rows={data.list}
        rowKey={({ id }) => id}
      />
    </>
  )
}

function useColumns(tenant: Tenant, currency: string): readonly Column<ManagedProgram>[] {
  const t = useT()
  const act = useAct('PUT /api/v4/tenants/{id}/referral-programs/{program}', [
    programsQuery(tenant.id).queryKey,
  ])
  const path = useTenantPath()
  const change = async (program: ManagedProgram) => {
    await act({
      params: { id: String(tenant.id), program: program.id },
      body: {
        ...readProgram({ ...programValues(program), active: !program.active }),
        revision: program.revision,
      },
    })
  }
  return [
    {
      name: 'name',
      label: t('offer.program'),
      phone: 'main',
      cell: ({ id, name, active, discount }) => (
        <>
          <TableLink to={`${path}/program/${id}`}>{name}</TableLink>{' '}
          {!active && <Tag>{t('offer.ended')}</Tag>}
          {discount && (
            <span className="data-second">
              {t('offer.newcomersGet', { discount: number(discount.percent / 100, { style: 'percent' }) })}
            </span>
          )}
        </>
      ),
    },
    {
      name: 'award',
      label: t('words.award'),
      phone: 'meta',
      align: 'end',
      cell: ({ award }) => <span className="nowrap">{price(award, currency)}</span>,
    },
    {
      name: 'accounts',
      label: t('offer.broughtAndAwarded'),
      phone: 'meta',
      align: 'end',
      cell: ({ accounts, awarded }) =>
        t('offer.accountsAwarded', { accounts, count: number(accounts), awarded: number(awarded) }),
    },
    {
      name: 'active',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: (program) => (
        <Button size="small" onPress={() => change(program)}>
          {t(program.active ? 'offer.end' : 'words.resume')}
          <span className="visually-hidden">{` ${program.name}`}</span>
        </Button>
      ),
    },
  ]
}
