import type { BilledAmounts, Sku, Subscriptions } from '@gatehouse/contract/billing/subscriptions'
import { day, number, price } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { FieldNotes } from '../../ui/fields/field.tsx'
import { errorLine, type FieldError } from '../../ui/form/field-errors.ts'
import { Tag } from '../../ui/page/panel.tsx'
import { DiscountNote, FormPrice, missingPrice, type Pricing } from './discount.tsx'
import { isChosen, isOneOf, type Lock, lockOf, sortSkus, toggle, type Units, withUnits } from './rules.ts'
import type { PriceState } from './use-price-preview.ts'
import './subscriptions.css'

export interface SubscriptionSelectProps {
  id: string
  name?: string
  label: string
  /** SKUs the object holds or may hold. */
  skus: readonly Sku[]
  /** SKUs it holds now. */
  held: Subscriptions
  value: Units
  onValue: (units: Units) => void
  pricing: Pricing
  /** Price of the choice from the server; if absent, the SKUs have the prices of what is held. */
  price?: PriceState
  /** Only shows what is held. */
  readOnly?: boolean
  /** Has parts by SKU id, which are shown in the rows of those SKUs. */
  error?: FieldError
}

/** The subscriptions of an object, with rules, quantities and prices. */
export function SubscriptionSelect(props: SubscriptionSelectProps) {
  const { id, name, label, skus, value, readOnly = false, error, pricing } = props
  const sorted = sortSkus(skus)
  const shown = readOnly ? sorted.filter((sku) => isChosen(sku, value)) : sorted
  const notes = errorNotes(props, shown)
  return (
    <fieldset id={id} name={name} className="subscriptions">
      <legend className="visually-hidden">{label}</legend>
      <ul>
        {shown.map((sku) => (
          <Row
            key={sku.id}
            sku={sku}
            {...props}
            error={error?.parts?.[sku.id]}
            described={notes.at.get(sku)}
          />
        ))}
      </ul>
      <FieldNotes id={id} error={notes.below} />
      <DiscountNote
        pricing={pricing}
        prices={shown.flatMap((sku) => rowPrice(sku, props.price)?.billed ?? [])}
      />
    </fieldset>
  )
}

interface ErrorNotes {
  /** Errors that belong to no row. */
  below: string | undefined
  /** Rows with an invalid control, with the ids of the messages. */
  at: ReadonlyMap<Sku, string>
}

/**
 * Assigns each message to its row. If none of those can be focused, the first control that can points to
 * all.
 */
function errorNotes(props: SubscriptionSelectProps, shown: readonly Sku[]): ErrorNotes {
  const { id, skus, value, held, readOnly, error } = props
  if (!error) return { below: undefined, at: new Map() }
  const wrong = shown.filter((sku) => error.parts?.[sku.id])
  const others = Object.entries(error.parts ?? {}).filter(([key]) => !wrong.some((sku) => sku.id === key))
  const below = errorLine({ ...error, parts: Object.fromEntries(others) }) || undefined
  const canFocus = (sku: Sku) =>
    !readOnly && (!lockOf(sku, skus, value, held) || (sku.range !== undefined && isChosen(sku, value)))
  const at = new Map(wrong.filter(canFocus).map((sku) => [sku, `${id}-${sku.id}-error`]))
  const first = shown.find(canFocus)
  if (at.size === 0 && first) {
    const ids = [...wrong.map((sku) => `${id}-${sku.id}-error`), ...(below ? [`${id}-error`] : [])]
    at.set(first, ids.join(' '))
  }
  return { below, at }
}

interface RowProps extends Omit<SubscriptionSelectProps, 'error'> {
  sku: Sku
  /** Error of this row. */
  error: string | undefined
  /** Ids of the messages describing why its control is invalid; undefined if it is valid. */
  described: string | undefined
}

function Row(props: RowProps) {
  const { sku, skus, held, value, onValue, pricing, price: state, readOnly = false } = props
  const { error, described } = props
  const t = useT()
  const id = `${props.id}-${sku.id}`
  const chosen = isChosen(sku, value)
  const lock = lockOf(sku, skus, value, held)
  const reason = lock && lockText(t, lock)
  const hasRange = sku.range !== undefined && chosen
  const notes = [`${id}-text`, reason && `${id}-reason`, hasRange ? undefined : described]
  return (
    <li className="subscription">
      <input
        {...(isOneOf(sku, skus) ? { type: 'radio', name: `${props.id}-one` } : { type: 'checkbox' })}
        id={id}
        checked={chosen}
        disabled={readOnly || lock !== undefined}
        aria-describedby={notes.filter(Boolean).join(' ')}
        aria-invalid={(described !== undefined && !hasRange) || undefined}
        onChange={(event) => onValue(toggle(sku, event.target.checked, skus, value))}
      />
      <div className="subscription-text">
        <span className="row wrap">
          <label htmlFor={id}>{sku.name}</label>
          {lock?.kind === 'included' && <Tag>{t('subscriptions.required')}</Tag>}
        </span>
        <span id={`${id}-text`} className="small text-3">
          {sku.description}
        </span>
        {sku.range && chosen && (
          <Range
            sku={sku}
            units={value[sku.id] ?? sku.range.min}
            disabled={readOnly}
            described={described}
            onUnits={(count) => onValue(withUnits(sku, count, skus, value))}
          />
        )}
        {reason && lock?.kind !== 'included' && !readOnly && (
          <span id={`${id}-reason`} className="small subscription-reason">
            {reason}
          </span>
        )}
        {reason && lock?.kind === 'included' && (
          <span id={`${id}-reason`} className="visually-hidden">
            {reason}
          </span>
        )}
        {sku.coming && (
          <p className="small text-2">
            {t('subscriptions.coming', {
              price: price(sku.coming.cost, pricing.currency),
              day: day(sku.coming.date, { dateStyle: 'long', timeZone: 'UTC' }),
            })}
          </p>
        )}
        <FieldNotes id={id} error={error} />
      </div>
      <Price of={rowPrice(sku, state)} pricing={pricing} pending={state?.pending === true} />
    </li>
  )
}

interface RangeProps {
  sku: Sku
  units: number
  disabled: boolean
  described: string | undefined
  onUnits: (count: number) => void
}

function Range({ sku, units, disabled, described, onUnits }: RangeProps) {
  const t = useT()
  if (!sku.range) return null
  const { min, max, unit } = sku.range
  const amount = t('subscriptions.units', { count: number(units), unit })
  const free = sku.units_free > 0 && t('subscriptions.unitsFree', { count: number(sku.units_free) })
  return (
    <span className="subscription-range">
      <input
        type="range"
        min={min}
        max={Math.max(max, units)}
        value={units}
        disabled={disabled}
        aria-label={t('subscriptions.quantity', { name: sku.name })}
        aria-valuetext={amount}
        aria-invalid={described !== undefined || undefined}
        aria-describedby={described}
        onChange={(event) => onUnits(Number(event.target.value))}
      />
      <output className="small text-2">{[amount, free].filter(Boolean).join(', ')}</output>
    </span>
  )
}

interface RowPrice {
  billed: BilledAmounts | null | undefined
  /** Change of the monthly price, in cents. */
  change: number
}

/** Returns the price of a subscription from the server. */
function rowPrice(sku: Sku, state: PriceState | undefined): RowPrice {
  if (state === undefined) return { billed: sku.billed, change: 0 }
  const option = state.preview?.options.find(({ skuId }) => skuId === sku.id)
  // SKUs that only staff can assign aren't shown until selected
  const fallback = state.preview ? sku.billed : missingPrice(state)
  return { billed: option?.billed ?? fallback, change: option?.change ?? 0 }
}

interface PriceProps {
  of: RowPrice
  pricing: Pricing
  /** The price belongs to an earlier choice. */
  pending: boolean
}

function Price({ of: { billed, change }, pricing, pending }: PriceProps) {
  return (
    <span className="subscription-price" data-pending={pending || undefined}>
      <FormPrice billed={billed} pricing={pricing} />
      {change !== 0 && <span className="small subscription-change">{signed(change, pricing.currency)}</span>}
    </span>
  )
}

/** An amount with its sign. */
export function signed(cents: number, currency: string): string {
  return `${cents < 0 ? '−' : '+'} ${price(Math.abs(cents), currency)}`
}

function lockText(t: Translate, lock: Lock): string {
  if (lock.kind === 'included') return t('subscriptions.included')
  if (lock.kind === 'notOnSale') return t('subscriptions.notOnSale')
  const others = lock.others.join(', ')
  return t(lock.kind === 'requires' ? 'subscriptions.requires' : 'subscriptions.forbidden', { others })
}
