import type { Ground } from '../../platform/ground.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import { handleBookingMails } from '../bookings/delivery/booking-mails.ts'
import { Bookings } from '../bookings/delivery/bookings.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { ExternalMark } from '../external-sender/external-mark.ts'
import type { Calendars } from '../invitations/delivery/calendars.ts'
import { InvitationDelivery } from '../invitations/delivery/invitation-delivery.ts'
import { handleCalendarNotices } from '../invitations/delivery/notice-mail.ts'
import type { FilterRouteParts } from '../webhooks/filter-routes.ts'
import type { FilterSettings } from './filter-settings.ts'
import { MailFilter } from './mail-filter.ts'

interface FilterInputs extends Ground<FilterSettings & FeatureSettings> {
  readonly decisions: DecisionLog
  readonly calendars: Calendars
}

/** Composes the mail filter and registers the job that sends its notices. */
export function composeFilter(inputs: FilterInputs): {
  readonly filter: FilterRouteParts
  readonly invitations: InvitationDelivery
  readonly bookings: Bookings
} {
  const { config, db, dns, clock, jobs } = inputs
  const invitations = new InvitationDelivery(inputs)
  const bookings = new Bookings(inputs)
  handleCalendarNotices(jobs, inputs)
  handleBookingMails(jobs, inputs)
  const filter = new MailFilter({
    db,
    author: { dns, clock, serverId: config.MAILFLOW_AUTHSERV_ID },
    ...{ invitations, bookings },
    externalMark: new ExternalMark(inputs),
  })
  const mostBytes = config.MAILFLOW_FILTER_MIB * 1024 * 1024
  return { filter: { filter, mostBytes, isOn: config.APP_WITH_MAILFILTER }, invitations, bookings }
}
