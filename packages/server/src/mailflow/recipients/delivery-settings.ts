import { accountDelivery } from '../../users/settings/effective-settings.ts'
import { readFlag } from '../../users/settings/stored-value.ts'
import type { ExternalSenderSettings } from '../external-sender/external-sender.ts'
import type { Recipient } from './recipient-store.ts'

/** Whether the modules of the mail filter are on for a recipient: the user's own setting, else that of the account. */
export interface DeliverySettings {
  readonly invitations: boolean
  readonly externalSender: ExternalSenderSettings
}

export function deliverySettings(recipient: Pick<Recipient, 'settings' | 'ownerSettings'>): DeliverySettings {
  const { settings, ownerSettings } = recipient
  const account = accountDelivery(ownerSettings)
  return {
    invitations: readFlag(settings.itip_config) ?? account.itip.value,
    externalSender: {
      isOn: readFlag(settings.externalsender_config) ?? account.externalsender.value,
      trustedDomains: account.externalsender_domains.value,
    },
  }
}
