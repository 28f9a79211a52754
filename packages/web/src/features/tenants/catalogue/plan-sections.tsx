import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Choices } from '../../../ui/fields/choices.tsx'
import { FieldNotes, fieldControl } from '../../../ui/fields/field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { errorLine } from '../../../ui/form/field-errors.ts'
import { FormSection } from '../../../ui/form/form-section.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { Tag } from '../../../ui/page/panel.tsx'
import { TextSections } from '../text-sections.tsx'
import type { Catalogue, Plan } from './catalogue-query.ts'
import { modeObstacle, modes, type PlanValues } from './plan-values.ts'

const periods = [1, 3, 6, 12, 24, 36]

interface PlanSectionsProps {
  form: Form<PlanValues>
  catalogue: Catalogue
  /** Undefined: a new plan. */
  plan?: Plan
}

/** Form sections of a plan. */
export function PlanSections({ form, catalogue, plan }: PlanSectionsProps) {
  const t = useT()
  const { limits } = catalogue
  const { id, name, value, onValue, error } = form.field('mode')
  const known = periods.includes(Number(form.values.months))
    ? periods
    : [...periods, Number(form.values.months)]
  return (
    <>
      <FormSection title={t('words.packages')} hint={t('offer.planPackagesHint')}>
        <PlanPackages form={form} catalogue={catalogue} />
      </FormSection>
      <FormSection title={t('offer.signUp')} hint={t('offer.signUpHint')}>
        <Choices
          id={id}
          name={name}
          label={t('words.mode')}
          value={value}
          onValue={onValue}
          {...(error !== undefined && { error })}
          choices={modes.map(({ mode, label, text }) => ({
            value: mode,
            label: t(label),
            text: t((plan?.mode !== mode && modeObstacle(mode, catalogue)) || text),
          }))}
        />
        <Checkbox {...form.check('hidden')} label={t('offer.hidden')} hint={t('offer.hiddenHint')} />
      </FormSection>
      <FormSection title={t('offer.billing')} hint={t('offer.billingHint')}>
        <Select
          {...form.field('months')}
          label={t('offer.billed')}
          options={known.map((months) => ({
            value: String(months),
            label: t('offer.everyMonths', { count: months }),
          }))}
        />
        <TextField
          {...form.field('freeMonths')}
          label={t('words.freeMonths')}
          hint={limits ? t('offer.atMost', { max: number(limits.freeMonths) }) : undefined}
          inputMode="numeric"
          autoComplete="off"
        />
      </FormSection>
      <TextSections form={form} />
    </>
  )
}

function PlanPackages({ form, catalogue: { packages, currency } }: PlanSectionsProps) {
  const t = useT()
  const chosen = form.values.packages
  const error = form.errors.packages && errorLine(form.errors.packages)
  const toggle = (id: string, isIn: boolean) =>
    form.set('packages', isIn ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <fieldset className="offer-contents">
      <legend className="visually-hidden">{t('words.packages')}</legend>
      <input type="hidden" name="packages" />
      {packages.length === 0 && <p className="text-2">{t('offer.noPackages')}</p>}
      <ul>
        {packages.map((item, index) => (
          <li key={item.id}>
            <label className="check">
              <input
                {...(index === 0 ? fieldControl('plan-packages', undefined, error) : {})}
                type="checkbox"
                checked={chosen.includes(item.id)}
                onChange={(event) => toggle(item.id, event.target.checked)}
              />
              <span>
                {item.name} <Tag>{t(item.isDomain ? 'offer.ofDomains' : 'offer.ofUsers')}</Tag>
              </span>
            </label>
            <span className="text-2 small nowrap">
              {t('offer.aMonth', { price: price(item.cost, currency) })}
            </span>
          </li>
        ))}
      </ul>
      <FieldNotes id="plan-packages" error={error} />
    </fieldset>
  )
}
