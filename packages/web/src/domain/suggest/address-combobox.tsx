import { type RefObject, useEffect, useRef } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { SuggestInput, type SuggestInputProps } from './suggest-input.tsx'
import { type AddressSources, maySearchPeople, useAddressSuggestions } from './use-address-suggestions.ts'

export interface AddressComboboxProps
  extends Omit<SuggestInputProps, 'suggestions' | 'nothing' | 'inputRef'>,
    AddressSources {
  /** No search in the account, as when staff type for a customer. */
  withoutSearch?: boolean
  /** Accepts a domain or a domain suffix too. */
  withDomains?: boolean
  inputRef?: RefObject<HTMLInputElement | null>
}

/**
 * Address of a person. A name or part of one finds people in the account; any other address can be typed in
 * full. The field is invalid if the text is neither.
 */
export function AddressCombobox(props: AddressComboboxProps) {
  const {
    lists,
    besides,
    except,
    domain,
    withoutSearch = false,
    withDomains = false,
    inputRef,
    ...input
  } = props
  const { value } = input
  const t = useT()
  const own = useRef<HTMLInputElement>(null)
  const ref = inputRef ?? own
  const search = withoutSearch ? '' : value
  const { list, nothing } = useAddressSuggestions(search, { lists, besides, except, domain })
  const isLacking = lacksAddress(value, withDomains)
  const error = isLacking ? t(addressNeeded(withDomains)) : ''
  // forms read validation errors from the browser
  useEffect(() => ref.current?.setCustomValidity(error), [ref, error])
  return (
    <SuggestInput
      {...input}
      inputRef={ref}
      suggestions={list}
      nothing={nothing && isLacking ? t(nothingTexts[nothing]) : undefined}
    />
  )
}

const nothingTexts = { none: 'addresses.nothing', known: 'addresses.known' } as const

/** Whether the text contains no address, nor a domain where that is accepted. */
export function lacksAddress(text: string, withDomains = false): boolean {
  if (text.trim() === '' || /[^\s@]@[^\s@]/.test(text)) return false
  return !withDomains || !/\.[^\s.]/.test(text)
}

/** Message for input that isn't an address. */
export function addressNeeded(withDomains = false): MessageKey {
  if (withDomains) return 'addresses.chooseOrDomain'
  return maySearchPeople() ? 'addresses.choose' : 'addresses.typeFull'
}
