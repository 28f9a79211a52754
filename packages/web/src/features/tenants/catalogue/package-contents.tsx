import { number, price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { FieldNotes, fieldControl } from '../../../ui/fields/field.tsx'
import { errorLine, type FieldError } from '../../../ui/form/field-errors.ts'
import { Tag } from '../../../ui/page/panel.tsx'
import type { Product } from './catalogue-query.ts'

/** Typed quantities by product id; empty: not in the package. */
export type Quantities = Readonly<Record<string, string>>

export interface PackageContentsProps {
  id: string
  products: readonly Product[]
  value: Quantities
  onValue: (value: Quantities) => void
  currency: string
  /** Has parts by product id. */
  error: FieldError | undefined
}

const kinds = [
  { type: 'user', label: 'offer.forUsers' },
  { type: 'domain', label: 'offer.forDomains' },
] as const

/** Contents of a package: the available products with quantities. */
export function PackageContents(props: PackageContentsProps) {
  const t = useT()
  const { id, products, value, error } = props
  const rest = error && errorLine({ ...error, parts: otherParts(error, products) })
  return (
    <div>
      <input type="hidden" name="skus" />
      {kinds.map(({ type, label }) => {
        const ofKind = products.filter(
          (one) => one.type === type && (one.active || (value[one.id] ?? '') !== ''),
        )
        if (ofKind.length === 0) return null
        return (
          <fieldset key={type} className="offer-contents">
            <legend className="field-label">{t(label)}</legend>
            <ul>
              {ofKind.map((product) => (
                <Row key={product.id} product={product} {...props} />
              ))}
            </ul>
          </fieldset>
        )
      })}
      <div role="alert">
        <FieldNotes id={id} error={rest || undefined} />
      </div>
    </div>
  )
}

/** Errors of products that have no row here. */
function otherParts({ parts = {} }: FieldError, products: readonly Product[]): Record<string, string> {
  const known = products.filter(({ type }) => kinds.some((kind) => kind.type === type))
  return Object.fromEntries(Object.entries(parts).filter(([key]) => !known.some(({ id }) => id === key)))
}

function Row({ product, ...props }: { product: Product } & PackageContentsProps) {
  const t = useT()
  const { value, onValue, currency } = props
  const id = `${props.id}-${product.id}`
  const quantity = value[product.id] ?? ''
  const error = props.error?.parts?.[product.id]
  const set = (text: string) => onValue({ ...value, [product.id]: text })
  const isChosen = quantity !== ''
  const hasQuantity = product.max > 1 && isChosen
  return (
    <li>
      <label className="check">
        <input
          {...(hasQuantity ? { id } : fieldControl(id, undefined, error))}
          type="checkbox"
          checked={isChosen}
          onChange={(event) => set(event.target.checked ? String(Math.max(1, product.units_free)) : '')}
        />
        <span>
          {product.name} {!product.active && <Tag>{t('tenants.notOnSale')}</Tag>}
        </span>
      </label>
      {hasQuantity && (
        <span className="offer-quantity">
          <input
            {...fieldControl(`${id}-quantity`, undefined, error)}
            aria-describedby={error && `${id}-error`}
            className="input"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('offer.quantityOf', { name: product.name })}
            value={quantity}
            // an empty quantity would remove the product while typing
            onChange={(event) => set(event.target.value || ' ')}
          />
          {product.units_free > 0 && (
            <span className="small text-3">{t('offer.freeOf', { count: number(product.units_free) })}</span>
          )}
        </span>
      )}
      <span className="text-2 small nowrap">{price(product.cost, currency)}</span>
      <FieldNotes id={id} error={error} />
    </li>
  )
}
