import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import { FieldNotes, fieldControl } from '../../ui/fields/field.tsx'
import { DiscountNote, FormPrice, missingPrice, type Pricing } from './discount.tsx'
import type { PriceState } from './use-price-preview.ts'
import './subscriptions.css'

export interface PackageSelectProps {
  id: string
  name: string
  label: string
  packages: readonly SubscriptionPackage[]
  /** Id of the chosen package. */
  value: string
  onValue: (id: string) => void
  pricing: Pricing
  /** Prices of the packages from the server. */
  price: PriceState
  error?: string
}

/** Select of the packages with their prices. */
export function PackageSelect({
  id,
  name,
  label,
  packages,
  value,
  onValue,
  pricing,
  price,
  error,
}: PackageSelectProps) {
  const prices = price.preview?.packages.filter(({ id: one }) => packages.some((item) => item.id === one))
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
              <FormPrice
                billed={prices ? prices.find(({ id: one }) => one === item.id)?.billed : missingPrice(price)}
                pricing={pricing}
              />
            </span>
          </li>
        ))}
      </ul>
      <FieldNotes id={id} error={error} />
      <DiscountNote pricing={pricing} prices={prices?.map(({ billed }) => billed) ?? []} />
    </fieldset>
  )
}
