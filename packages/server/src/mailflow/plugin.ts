import type { Ground } from '../platform/ground.ts'
import { ServiceCallers } from '../platform/http/callers/service-callers.ts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { DecisionLog } from './decisions/decision-log.ts'
import type { DecisionSettings } from './decisions/decision-settings.ts'
import { composeFilter } from './filter/compose-filter.ts'
import type { FilterSettings } from './filter/filter-settings.ts'
import { composeGateway } from './gateway/compose-gateway.ts'
import type { GatewaySettings } from './gateway/gateway-settings.ts'
import { Greylisting } from './greylist/greylisting.ts'
import { type Calendars, noCalendars } from './invitations/delivery/calendars.ts'
import { SpfPolicy } from './sender-authentication/spf-policy.ts'
import { greylistCall, spfCall } from './webhooks/arrival-call.ts'
import { serveMailFilter } from './webhooks/filter-routes.ts'
import { servePolicyCall } from './webhooks/policy-call.ts'

export type MailflowConfig = SiteConfig &
  ServiceSettings &
  FeatureSettings &
  DecisionSettings &
  FilterSettings &
  GatewaySettings

/** Adds the policies that mail servers ask for, and the log of their decisions. */
export function addMailflow(ground: Ground<MailflowConfig>, calendars: Calendars = noCalendars) {
  const { config, fastify, facts, purge } = ground
  const decisions = new DecisionLog(ground)
  const greylisting = new Greylisting({ ...ground, decisions })
  const spf = new SpfPolicy({ ...ground, decisions })
  const { filter, invitations } = composeFilter({ ...ground, decisions, calendars })
  const callers = new ServiceCallers(config, facts)
  void fastify.register(async (child) => {
    callers.guard(child)
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    servePolicyCall(child, 'greylist', greylistCall(greylisting, spf))
    servePolicyCall(child, 'spf', spfCall(spf))
    serveMailFilter(child, filter)
  })
  purge.add(decisions, greylisting, invitations)
  fastify.addHook('onClose', () => decisions.close())
  const gateway = composeGateway({ ...ground, decisions, greylist: greylisting, spf })
  return { decisions, greylisting, spf, gateway }
}
