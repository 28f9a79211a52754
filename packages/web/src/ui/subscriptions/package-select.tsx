import type { SubscriptionPackage } from '@gatehouse/contract/subscriptions'
import { priceLabel } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { FieldNotes, fieldControl } from '../field.tsx'
import { DiscountNote, type Pricing } from './discount.tsx'
import './subscriptions.css'

export interface PackageSelectProps {
  id: string
  name: string
  label: string
  packages: readonly SubscriptionPackage[]
  /** Id of the chosen one. */
  value: string
  onValue: (id: string) => void
  pricing: Pricing
  error?: string
}

/** One of the packages, with their prices. */
export function PackageSelect({
  id,
  name,
  label,
  packages,
  value,
  onValue,
  pricing,
  error,
}: PackageSelectProps) {
  const t = useT()
  return (
    <fieldset className="subscriptions">
      <legend className="visually-hidden">{label}</legend>
      <ul>
        {packages.map((item, index) => (
          <li key={item.id} className="subscription">
            <input
              {...(index === 0 ? fieldControl(id, undefined, error) : { id: `${id}-${item.id}` })}
              type="radio"
              name={name}
              value={item.id}
              checked={item.id === value}
              onChange={() => onValue(item.id)}
            />
            <div className="subscription-text">
              <label htmlFor={index === 0 ? id : `${id}-${item.id}`}>{item.name}</label>
              <span className="small text-3">{item.description}</span>
            </div>
            <span className="subscription-price">
              {item.cost > 0 ? priceLabel(item.cost, pricing) : t('subscriptions.free')}
            </span>
          </li>
        ))}
      </ul>
      <FieldNotes id={id} error={error} />
      <DiscountNote pricing={pricing} />
    </fieldset>
  )
}
