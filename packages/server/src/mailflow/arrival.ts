import { canonicalAddress } from '@gatehouse/contract/canonical-address'

/** A message for one recipient, as the client announces it. */
export interface Arrival {
  readonly clientAddress: string
  /** Host name that the address confirms; null: unknown. */
  readonly clientName: string | null
  /** Name in HELO or EHLO. */
  readonly helo: string
  /** Address of the envelope; empty: the null sender. */
  readonly sender: string
  readonly recipient: string
  readonly queueId: string | null
}

/** Characters of an address; more than RFC 5321 allows. */
const longest = 512

/**
 * Returns an arrival with canonical addresses and without characters that the database can't store or a header field
 * must not contain. Clients may send anything.
 */
export function cleanArrival(arrival: Arrival): Arrival {
  const { clientAddress, clientName, helo, sender, recipient, queueId } = arrival
  return {
    clientAddress: printable(clientAddress.replace(/^IPv6:/i, '')).slice(0, 64),
    clientName: clientName === null ? null : printable(clientName).slice(0, 255),
    helo: printable(helo).slice(0, 255),
    sender: envelopeAddress(sender),
    recipient: envelopeAddress(recipient),
    queueId: queueId === null ? null : printable(queueId).slice(0, 64),
  }
}

/** Returns an address of the envelope in canonical form, without angle brackets; empty for the null sender. */
export function envelopeAddress(text: string): string {
  const address = text.slice(0, 2 * longest).replace(/^\s*<(.*)>\s*$/s, '$1')
  return printable(canonicalAddress(address)).slice(0, longest)
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, '\ufffd')
}
