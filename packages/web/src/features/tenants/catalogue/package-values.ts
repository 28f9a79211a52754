import { t } from '../../../i18n/i18n.ts'
import { refuse } from '../field-fault.ts'
import { readTexts, type TextValues, textValues } from '../localised-texts.ts'
import { readCount } from '../read-number.ts'
import type { Package, Product } from './catalogue-query.ts'
import type { Quantities } from './package-contents.tsx'

/** Form values of a package. */
export type PackageValues = TextValues & {
  title: string
  discountRate: string
  skus: Quantities
}

export function packageValues(products: readonly Product[], item?: Package): PackageValues {
  const quantities = products.map(({ id }) => [id, item?.skus[id] ? String(item.skus[id]) : ''])
  return {
    title: item?.title ?? '',
    discountRate: String(item?.discountRate ?? 0),
    skus: Object.fromEntries(quantities),
    ...textValues(item),
  }
}

/** Converts form values to the API format. Throws FieldFault. */
export function readPackage(products: readonly Product[], values: PackageValues) {
  const { title: _, discountRate: rate, skus, ...texts } = values
  const discountRate = readCount(rate)
  const chosen = products.filter(({ id }) => (skus[id] ?? '') !== '')
  const wrong = chosen.filter(({ id, max }) => {
    const count = readCount(skus[id] ?? '')
    return !count || count > max
  })
  refuse({
    discountRate: discountRate == null || discountRate > 100 ? t('tenants.faultPercent') : undefined,
    skus:
      wrong.length > 0
        ? Object.fromEntries(wrong.map(({ id, max }) => [id, t('offer.faultQuantity', { max })]))
        : undefined,
  })
  return {
    ...readTexts(texts),
    discountRate: discountRate ?? 0,
    skus: Object.fromEntries(chosen.map(({ id }) => [id, readCount(skus[id] ?? '') ?? 0])),
  }
}
