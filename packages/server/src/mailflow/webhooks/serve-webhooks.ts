import type { Ground } from '../../platform/ground.ts'
import { ServiceCallers } from '../../platform/http/callers/service-callers.ts'
import type { ServiceSettings } from '../../platform/http/callers/service-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { Greylisting } from '../greylist/greylisting.ts'
import type { SpfPolicy } from '../sender-authentication/spf-policy.ts'
import { greylistCall, spfCall } from './arrival-call.ts'
import { type FilterRouteParts, serveMailFilter } from './filter-routes.ts'
import { servePolicyCall } from './policy-call.ts'
import { type SendingPolicies, serveSendingCalls } from './sending-calls.ts'

export interface WebhookParts extends SendingPolicies {
  readonly greylisting: Greylisting
  readonly spf: SpfPolicy
  readonly filter: FilterRouteParts
}

/** Serves the calls of mail servers, which only they can reach. */
export function serveWebhooks(
  { config, facts, fastify }: Pick<Ground<SiteConfig & ServiceSettings>, 'config' | 'facts' | 'fastify'>,
  { greylisting, spf, rate, submission, filter }: WebhookParts,
): void {
  const callers = new ServiceCallers(config, facts)
  void fastify.register(async (child) => {
    callers.guard(child)
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    servePolicyCall(child, 'greylist', greylistCall(greylisting, spf))
    servePolicyCall(child, 'spf', spfCall(spf))
    serveSendingCalls(child, { rate, submission })
    serveMailFilter(child, filter)
  })
}
