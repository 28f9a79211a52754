import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useAct } from '../../../platform/api/use-act.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { ActionMenu, type MenuAction } from '../../../ui/buttons/action-menu.tsx'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Tag } from '../../../ui/page/panel.tsx'
import { RemoveDialog } from '../remove-dialog.tsx'
import { useTenantPath } from '../use-tenant.tsx'
import type { CatalogueScene } from './catalogue-item.tsx'
import { catalogueQuery, type Plan } from './catalogue-query.ts'
import { modeLabels, planValues, readPlan } from './plan-values.ts'

/** Plans of a tenant in display order, with a button to create one. */
export function PlanTable(scene: CatalogueScene) {
  const t = useT()
  const path = useTenantPath()
  const [leaving, setLeaving] = useState<Plan>()
  const { tenant, catalogue } = scene
  const reread = useReread(tenant.id)
  const columns = useColumns(scene, setLeaving)
  const create = (
    <ButtonLink to={`${path}/plan/new`} size="small" icon={IconPlus}>
      {t('offer.newPlan')}
    </ButtonLink>
  )
  if (catalogue.plans.length === 0) {
    return (
      <EmptyState title={t('offer.noPlans')} action={create}>
        {t('offer.noPlansText')}
      </EmptyState>
    )
  }
  return (
    <>
      <div className="offer-tools">
        <p className="text-2 small">{t('offer.plansText')}</p>
        {create}
      </div>
      <DataTable label={t('words.plans')} columns={columns} rows={catalogue.plans} rowKey={({ id }) => id} />
      {leaving && (
        <RemoveDialog
          title={t('offer.deletePlan', { name: leaving.name })}
          label={t('offer.deletePlanNow')}
          field="plan"
          act={async () => {
            const params = { id: String(tenant.id), plan: leaving.id }
            const done = await call('DELETE /api/v4/tenants/{id}/plans/{plan}', { params })
            await reread()
            return done
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('offer.deletePlanText')}</p>
        </RemoveDialog>
      )}
    </>
  )
}

function useReread(tenant: number): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: catalogueQuery(tenant).queryKey })
}

function useColumns(scene: CatalogueScene, onDelete: (plan: Plan) => void): readonly Column<Plan>[] {
  const t = useT()
  const path = useTenantPath()
  const actionsOf = usePlanActions(scene, onDelete)
  const { packages, currency } = scene.catalogue
  return [
    {
      name: 'name',
      label: t('words.plan'),
      phone: 'main',
      cell: (plan) => (
        <>
          <TableLink to={`${path}/plan/${plan.id}`}>{plan.name}</TableLink>{' '}
          {plan.hidden && <Tag>{t('offer.hiddenTag')}</Tag>}
          <span className="data-second">
            {packages
              .filter(({ id }) => plan.packages.includes(id))
              .map(({ name }) => name)
              .join(', ')}
          </span>
        </>
      ),
    },
    {
      name: 'mode',
      label: t('offer.signUp'),
      phone: 'meta',
      cell: ({ mode }) => t(modeLabels[mode]),
    },
    {
      name: 'free',
      label: t('words.freeMonths'),
      phone: 'hidden',
      align: 'end',
      cell: ({ freeMonths }) => (freeMonths === 0 ? <span className="text-3">–</span> : freeMonths),
    },
    {
      name: 'cost',
      label: t('words.price'),
      phone: 'meta',
      align: 'end',
      cell: ({ cost, months }) => (
        <span className="nowrap">{t('offer.costPer', { months, price: price(cost, currency) })}</span>
      ),
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      width: '56px',
      cell: (plan) => (
        <ActionMenu
          compact
          icon={IconDots}
          label={t('words.actionsFor', { name: plan.name })}
          busyLabel={t('cockpit.working')}
          actions={actionsOf(plan)}
        />
      ),
    },
  ]
}

/** Actions on a plan in the list. */
function usePlanActions({ tenant, catalogue }: CatalogueScene, onDelete: (plan: Plan) => void) {
  const t = useT()
  const navigate = useNavigate()
  const path = useTenantPath()
  const reread = [catalogueQuery(tenant.id).queryKey]
  const sort = useAct('PUT /api/v4/tenants/{id}/plans', reread)
  const change = useAct('PUT /api/v4/tenants/{id}/plans/{plan}', reread)
  const ids = catalogue.plans.map(({ id }) => id)
  const params = { id: String(tenant.id) }

  const swap = async (at: number, other: number) => {
    const order = ids.map((id, index) => (index === at ? ids[other] : index === other ? ids[at] : id) ?? id)
    await sort({ params, body: { plans: order } })
  }
  const hide = async (plan: Plan) => {
    await change({
      params: { ...params, plan: plan.id },
      body: { ...readPlan({ ...planValues(plan), hidden: !plan.hidden }), revision: plan.revision },
    })
  }
  return (plan: Plan): readonly MenuAction[] => {
    const at = ids.indexOf(plan.id)
    return [
      {
        label: t('offer.edit'),
        icon: IconPencil,
        onPress: () => void navigate({ to: `${path}/plan/${plan.id}` }),
      },
      {
        label: t(plan.hidden ? 'offer.show' : 'offer.hide'),
        icon: plan.hidden ? IconEye : IconEyeOff,
        onPress: () => hide(plan),
      },
      ...(at > 0 ? [{ label: t('offer.moveUp'), icon: IconChevronUp, onPress: () => swap(at, at - 1) }] : []),
      ...(at < ids.length - 1
        ? [{ label: t('offer.moveDown'), icon: IconChevronDown, onPress: () => swap(at, at + 1) }]
        : []),
      { label: t('offer.delete'), icon: IconTrash, danger: true, onPress: () => onDelete(plan) },
    ]
  }
}
