import type { Ground } from '../platform/ground.ts'
import { ServiceCallers } from '../platform/http/callers/service-callers.ts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { DecisionLog } from './decisions/decision-log.ts'
import type { DecisionSettings } from './decisions/decision-settings.ts'
import { handleDkimJobs } from './dkim/dkim-jobs.ts'
import type { DkimKeys } from './dkim/dkim-keys.ts'
import type { DkimSettings } from './dkim/dkim-settings.ts'
import { PurgeDkimKeys } from './dkim/dkim-store.ts'

export type MailflowConfig = SiteConfig &
  HostingConfig &
  FeatureSettings &
  ServiceSettings &
  DecisionSettings &
  DkimSettings

/** Adds the policies that mail servers ask for, and the log of their decisions. */
export function addMailflow(ground: Ground<MailflowConfig>, keys: DkimKeys) {
  const { config, fastify, facts, purge } = ground
  const decisions = new DecisionLog(ground)
  const callers = new ServiceCallers(config, facts)
  void fastify.register(async (child) => {
    callers.guard(child)
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  })
  handleDkimJobs(ground, keys)
  purge.add(decisions, new PurgeDkimKeys(ground.db, ground.clock, config.RETENTION_DAYS))
  fastify.addHook('onClose', () => decisions.close())
  return { decisions }
}
