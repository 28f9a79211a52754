import type { MailFilters } from '@gatehouse/contract/mail/mail-filters'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { useApi } from '../../platform/api/query.tsx'
import { useUser } from '../../platform/session/auth.ts'
import { useLocation, useParams } from '../../router/router-context.tsx'
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx'
import { usePanelForm } from '../../ui/form/save-panel.tsx'
import { SaveForm, SaveScope } from '../../ui/form/save-scope.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ReplyPanel } from './reply-panel.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { StateNote } from './state-note.tsx'
import { useFilterForm } from './use-filter-form.ts'
import './mail-filters.css'

/** Rules for incoming mail and the automatic reply, of the reader or of a user of the account. */
export function MailFiltersPage() {
  const t = useT()
  const self = useUser()
  const { user } = useParams()
  const id = user ?? (self && String(self.id))
  const of = useApi('GET /api/v4/users/{id}', { params: { id: id ?? '' } }, { enabled: user !== undefined })
  if (id === undefined) return null
  const trail =
    user === undefined
      ? [{ label: t('words.mail'), to: '/mail' }]
      : [
          { label: t('words.users'), to: '/users' },
          { label: of.data?.email ?? t('words.user'), to: `/user/${user}` },
        ]
  return (
    <>
      <PageHead title={t('words.filtersAndReply')} facts={t('mailfilters.facts')} trail={trail} />
      <Loaded key={id} id={id} />
    </>
  )
}

function Loaded({ id }: { id: string }) {
  const filters = useApi(
    'GET /api/v4/users/{id}/mail-filters',
    { params: { id } },
    {
      staleTime: 0,
      // an upload takes a moment
      refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 3000 : false),
    },
  )
  const { data } = filters
  if (data)
    return (
      <SaveScope>
        <Filters key={data.revision} id={id} filters={data} />
      </SaveScope>
    )
  return filters.isPending ? <FormSkeleton /> : <LoadFailed onRetry={filters.refetch} />
}

function Filters({ id, filters }: { id: string; filters: MailFilters }) {
  const t = useT()
  const path = useLocation().pathname
  const form = useFilterForm(id, filters)
  const { rules } = form.values
  /** Index of the edited rule; -1: a new one. */
  const [edited, setEdited] = useState<number>()
  usePanelForm(form, t('words.filtersAndReply'))
  return (
    <>
      <UnsavedGuard form={form} within={path} />
      <SaveForm form={form} label={t('words.filtersAndReply')} className="stack filter-page">
        <StateNote id={id} filters={filters} />
        <ReplyPanel form={form} />
        <RulesPanel form={form} onEdit={setEdited} />
      </SaveForm>
      {/* a form within a form would submit both */}
      {edited !== undefined && (
        <RuleDialog
          rule={rules[edited]}
          onClose={() => setEdited(undefined)}
          onDone={(rule) => {
            form.set('rules', edited === -1 ? [...rules, rule] : rules.with(edited, rule))
            setEdited(undefined)
          }}
        />
      )}
    </>
  )
}
