import { filterLimits, replyAudiences } from '@gatehouse/contract/mail/filter-terms'
import { day } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { ListInput } from '../../ui/fields/list-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { Panel } from '../../ui/page/panel.tsx'
import type { FilterValues } from './use-filter-form.ts'

const dayChoices = [1, 2, 3, 7, 14, 30] as const

/** The automatic reply: when, what and to whom. */
export function ReplyPanel({ form }: { form: Form<FilterValues> }) {
  const t = useT()
  const { values } = form
  return (
    <Panel flush title={t('mailfilters.reply')} footer={<p>{replySentence(t, values)}</p>}>
      <div>
        <FormSection title={t('mailfilters.when')} hint={t('mailfilters.whenText')}>
          <Checkbox {...form.check('isEnabled')} label={t('mailfilters.replyOn')} />
          <div className="filter-days">
            <TextField {...form.field('from')} type="date" label={t('mailfilters.firstDay')} optional />
            <TextField {...form.field('until')} type="date" label={t('mailfilters.lastDay')} optional />
            <Select
              {...form.field('timeZone')}
              label={t('mailfilters.timeZone')}
              options={timeZones(values.timeZone)}
            />
          </div>
        </FormSection>
        <FormSection title={t('mailfilters.message')} hint={t('mailfilters.messageText')}>
          <TextField
            {...form.field('subject')}
            label={t('mailfilters.subject')}
            hint={t('mailfilters.subjectText')}
            optional
            maxLength={filterLimits.value}
          />
          <TextArea
            {...form.field('text')}
            label={t('mailfilters.text')}
            rows={6}
            maxLength={filterLimits.text}
            required={values.isEnabled}
          />
        </FormSection>
        <FormSection title={t('mailfilters.who')} hint={t('mailfilters.whoText')}>
          <Choices
            {...form.field('audience')}
            label={t('mailfilters.audience')}
            choices={replyAudiences.map((audience) => ({
              value: audience,
              label: t(audienceLabels[audience]),
            }))}
          />
          <Select
            {...form.field('days')}
            label={t('mailfilters.days')}
            options={dayOptions(values.days).map((count) => ({
              value: String(count),
              label: t('mailfilters.dayCount', { count }),
            }))}
          />
          <ListInput
            {...form.list('addresses')}
            label={t('mailfilters.addresses')}
            hint={t('mailfilters.addressesText')}
            placeholder="jane@example.org"
          />
        </FormSection>
      </div>
    </Panel>
  )
}

const audienceLabels = {
  everyone: 'mailfilters.everyone',
  known: 'mailfilters.known',
  organisation: 'mailfilters.organisation',
} as const

/** Says in one sentence when replies are sent. */
function replySentence(t: ReturnType<typeof useT>, { isEnabled, from, until }: FilterValues): string {
  if (!isEnabled) return t('mailfilters.replyOff')
  const days = { from: from && day(from), until: until && day(until) }
  if (from && until) return t('mailfilters.replyBetween', days)
  if (from) return t('mailfilters.replyFrom', days)
  return until ? t('mailfilters.replyUntil', days) : t('mailfilters.replyAlways')
}

function dayOptions(chosen: string): number[] {
  return [...new Set([...dayChoices, Number(chosen)])].sort((left, right) => left - right)
}

/** All time zones that the browser knows, and the chosen one. */
function timeZones(chosen: string) {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set(['UTC', ...known, chosen])]
    .sort()
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
