import { type Clock, hour } from '../../platform/clock.ts'
import type { Ground } from '../../platform/ground.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { DkimSigner } from '../dkim/dkim-signer.ts'
import { signMessage } from '../dkim/sign-message.ts'
import { ExternalMark } from '../external-sender/external-mark.ts'
import type { FilterSettings } from '../filter/filter-settings.ts'
import { Greylisting } from '../greylist/greylisting.ts'
import { HeldMailWorker } from '../held-mail/held-mail-worker.ts'
import { ListSenders } from '../list-access/list-senders.ts'
import { LogFollower } from '../mail-log/log-follower.ts'
import { LoggedRefusals } from '../mail-log/logged-refusals.ts'
import type { MailLog } from '../mail-log/mail-log.ts'
import { RecipientLookup } from '../recipients/recipient-lookup.ts'
import { AuthorPolicy } from '../sender-authentication/author-policy.ts'
import { SpfCheck } from '../sender-authentication/spf-check.ts'
import { SpfPolicy } from '../sender-authentication/spf-policy.ts'
import type { FilterRouteParts } from '../webhooks/filter-routes.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { MailGateway } from './mail-gateway.ts'
import type { DkimSigners, GatewayPolicies } from './services.ts'

type GatewayConfig = GatewaySettings & FilterSettings & Pick<SiteConfig, 'domain'>

interface GatewayInputs extends Ground<GatewayConfig>, Pick<GatewayPolicies, 'submission' | 'rate'> {
  readonly decisions: DecisionLog
  readonly mailLog: MailLog
  readonly dkim: DkimSigner
  readonly filter: FilterRouteParts
}

/** Limits of SPF checks while the mail server waits for the milter. */
const limits = { time: 5000, questions: 60 }
const cache = { seconds: hour, entries: 50_000 }
/** Seconds for which the settings of recipients, and what is known about servers, are kept. */
const keptFor = 5

/** Composes the gateway, which doesn't listen yet. */
export function composeGateway(inputs: GatewayInputs): MailGateway {
  const { config, db, dns, clock, log, metrics, tracer, submission, rate, mailLog } = inputs
  const arrivals = { ...inputs, recipients: new RecipientLookup({ ...inputs, keptFor }) }
  const path = config.MAIL_GATEWAY_LOG
  const postfix = config.MAIL_GATEWAY_POSTFIX
  return new MailGateway({
    ...{ config, db, dns, clock, log, metrics, tracer, serverId: config.MAILFLOW_AUTHSERV_ID },
    ...(path !== undefined && {
      follower: new LogFollower(path, { db, clock, log, mailLog, refusals: new LoggedRefusals(arrivals) }),
    }),
    ...(postfix !== undefined && { heldMail: new HeldMailWorker(postfix, { db, clock, log }) }),
    signers: signersOf(inputs.dkim, clock),
    spf: new SpfCheck({ dns, clock, limits, cache, hostName: config.domain }),
    // with the filter, mail is marked for each recipient
    ...(config.MAIL_GATEWAY_LMTP === 'off' && { externalMark: new ExternalMark(inputs) }),
    lmtpFilter: inputs.filter,
    authors: new AuthorPolicy({ ...inputs, trustedSealers: config.MAIL_GATEWAY_TRUSTED_SEALERS }),
    policies: {
      spf: new SpfPolicy(arrivals),
      greylist: new Greylisting({ ...arrivals, keptFor }),
      lists: new ListSenders(arrivals),
      ...(submission !== undefined && { submission }),
      ...(rate !== undefined && { rate }),
    },
  })
}

/** Signs with the keys of a domain, if it has keys that sign now. */
function signersOf(dkim: DkimSigner, clock: Clock): DkimSigners {
  return {
    async signerFor(domain) {
      const keys = await dkim.signerFor(domain)
      if (keys.length === 0) return undefined
      return (message) => signMessage(message, domain.toLowerCase(), keys, clock.now())
    },
  }
}
