import type { Ground } from '../platform/ground.ts'
import { ServiceCallers } from '../platform/http/callers/service-callers.ts'
import type { ServiceSettings } from '../platform/http/callers/service-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { DecisionLog } from './decisions/decision-log.ts'
import type { DecisionSettings } from './decisions/decision-settings.ts'
import { MailLog } from './mail-log/mail-log.ts'
import { MailTrace } from './trace/mail-trace.ts'
import { serveMailTrace } from './trace/routes.ts'

export type MailflowConfig = SiteConfig & ServiceSettings & DecisionSettings

/** Adds the policies that mail servers ask for, and the log of their decisions. */
export function addMailflow(ground: Ground<MailflowConfig>) {
  const { config, fastify, facts, purge } = ground
  const decisions = new DecisionLog(ground)
  const mailLog = new MailLog({ ...ground, decisions })
  const trace = new MailTrace({ db: ground.db, decisions })
  serveMailTrace(ground.api, trace)
  const callers = new ServiceCallers(config, facts)
  void fastify.register(async (child) => {
    callers.guard(child)
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  })
  purge.add(decisions, mailLog)
  fastify.addHook('onClose', () => decisions.close())
  return { decisions, mailLog, trace }
}
