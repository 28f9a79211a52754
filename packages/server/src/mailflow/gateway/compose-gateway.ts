import { hour } from '../../platform/clock.ts'
import type { Ground } from '../../platform/ground.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import { ExternalMark } from '../external-sender/external-mark.ts'
import type { FilterSettings } from '../filter/filter-settings.ts'
import { ListSenders } from '../list-access/list-senders.ts'
import { SpfCheck } from '../sender-authentication/spf-check.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { MailGateway } from './mail-gateway.ts'
import type { DkimSigners, GatewayPolicies } from './services.ts'

type GatewayConfig = GatewaySettings & FilterSettings & Pick<SiteConfig, 'domain'>

interface GatewayInputs extends Ground<GatewayConfig>, Omit<GatewayPolicies, 'lists'> {
  readonly decisions: DecisionLog
  /** Absent: nothing is signed. */
  readonly signers?: DkimSigners
}

/** Limits of SPF checks while the mail server waits for the milter. */
const limits = { time: 5000, questions: 60 }
const cache = { seconds: hour, entries: 50_000 }

const noSigners: DkimSigners = { signerFor: async () => undefined }

/** Composes the gateway, which doesn't listen yet. */
export function composeGateway(inputs: GatewayInputs): MailGateway {
  const { config, db, dns, clock, log, spf, greylist, submission, rate, signers = noSigners } = inputs
  return new MailGateway({
    ...{ config, db, dns, clock, log, signers, serverId: config.MAILFLOW_AUTHSERV_ID },
    spf: new SpfCheck({ dns, clock, limits, cache, hostName: config.domain }),
    externalMark: new ExternalMark(inputs),
    policies: {
      ...{ spf, greylist, lists: new ListSenders(inputs) },
      ...(submission !== undefined && { submission }),
      ...(rate !== undefined && { rate }),
    },
  })
}
