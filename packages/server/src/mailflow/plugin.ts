import type { Ground } from '../platform/ground.ts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Identity } from '../sessions/plugin.ts'
import { serveBookingRequests } from './bookings/delivery/routes.ts'
import { DecisionLog } from './decisions/decision-log.ts'
import type { DecisionSettings } from './decisions/decision-settings.ts'
import { handleDkimJobs } from './dkim/dkim-jobs.ts'
import type { DkimKeys } from './dkim/dkim-keys.ts'
import type { DkimSettings } from './dkim/dkim-settings.ts'
import { DkimSigner } from './dkim/dkim-signer.ts'
import { PurgeDkimKeys } from './dkim/dkim-store.ts'
import { composeFilter } from './filter/compose-filter.ts'
import type { FilterSettings } from './filter/filter-settings.ts'
import { composeGateway } from './gateway/compose-gateway.ts'
import type { GatewaySettings } from './gateway/gateway-settings.ts'
import { Greylisting } from './greylist/greylisting.ts'
import { PurgeHeldMail } from './held-mail/held-mail.ts'
import type { Calendars } from './invitations/delivery/calendars.ts'
import { serveMailActs } from './mail-acts/routes.ts'
import { MailLog } from './mail-log/mail-log.ts'
import { servePreview } from './preview/routes.ts'
import { RateCheck } from './rate-limit/rate-check.ts'
import type { RateLimitConfig } from './rate-limit/rate-limit-settings.ts'
import { handleSendingNotices } from './rate-limit/sending-notices.ts'
import { RecipientLookup } from './recipients/recipient-lookup.ts'
import { SpfPolicy } from './sender-authentication/spf-policy.ts'
import { SubmissionCheck } from './submission/submission-check.ts'
import { MailTrace } from './trace/mail-trace.ts'
import { serveMailTrace } from './trace/routes.ts'
import { serveWebhooks } from './webhooks/serve-webhooks.ts'

export type MailflowConfig = SiteConfig &
  HostingConfig &
  FeatureSettings &
  ServiceSettings &
  DecisionSettings &
  DkimSettings &
  FilterSettings &
  GatewaySettings &
  RateLimitConfig

/** Adds the policies that mail servers ask for, the log of their decisions, and the page that explains them. */
export function addMailflow(
  ground: Ground<MailflowConfig>,
  identity: Identity,
  { keys, calendars }: { readonly keys: DkimKeys; readonly calendars: Calendars },
) {
  const { api, config, db, clock, fastify, jobs, purge } = ground
  const decisions = new DecisionLog(ground)
  const recipients = new RecipientLookup(ground)
  const greylisting = new Greylisting({ ...ground, decisions, recipients })
  const spf = new SpfPolicy({ ...ground, decisions, recipients })
  const rate = new RateCheck({ ...ground, decisions })
  const submission = new SubmissionCheck({ ...ground, decisions })
  const { filter, invitations, bookings } = composeFilter({ ...ground, decisions, calendars })
  const mailLog = new MailLog({ ...ground, decisions, rate })
  const trace = new MailTrace({ db, decisions })
  serveWebhooks(ground, { greylisting, spf, rate, submission, filter })
  serveMailTrace(api, trace)
  serveMailActs(api, { ...ground, ...identity })
  serveBookingRequests(api, { ...ground, bookings })
  servePreview(api, { ...ground, ...identity })
  handleSendingNotices(jobs, ground)
  handleDkimJobs(ground, keys)
  purge.add(decisions, mailLog, greylisting, rate, invitations, bookings, new PurgeHeldMail(ground))
  purge.add(new PurgeDkimKeys(db, clock, config.RETENTION_DAYS))
  fastify.addHook('onClose', () => decisions.close())
  const dkim = new DkimSigner(ground)
  const gateway = composeGateway({ ...ground, rate, submission, decisions, mailLog, dkim, filter })
  return { decisions, gateway, rate, trace }
}
