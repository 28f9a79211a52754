import { type RefObject, useEffect, useRef } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { SuggestInput, type SuggestInputProps } from './suggest-input.tsx'
import { type AddressSources, maySearchPeople, useAddressSuggestions } from './use-address-suggestions.ts'

export interface AddressComboboxProps
  extends Omit<SuggestInputProps, 'suggestions' | 'nothing' | 'inputRef'>,
    AddressSources {
  /** The account has nobody to offer, as where staff type for a customer. */
  withoutSearch?: boolean
  /** A domain or an ending of domains is an answer too. */
  withDomains?: boolean
  inputRef?: RefObject<HTMLInputElement | null>
}

/**
 * The address of a person: a name or a part of one finds people of the account, and any other address can be typed in
 * full. The form is told when what stands here is neither.
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
  // forms ask the browser what is wrong with their fields
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

/** Whether something was typed that has no address in it, nor a domain where that is an answer. */
export function lacksAddress(text: string, withDomains = false): boolean {
  if (text.trim() === '' || /[^\s@]@[^\s@]/.test(text)) return false
  return !withDomains || !/\.[^\s.]/.test(text)
}

/** What to say to somebody who typed anything but an address. */
export function addressNeeded(withDomains = false): MessageKey {
  if (withDomains) return 'addresses.chooseOrDomain'
  return maySearchPeople() ? 'addresses.choose' : 'addresses.typeFull'
}
