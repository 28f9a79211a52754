import { z } from 'zod'
import { count, flag, hostNames, list } from '../../platform/settings/setting-kinds.ts'
import { policies } from '../decisions/decision-store.ts'
import type { Endpoint } from '../protocols/connections/protocol-server.ts'

/** `address:port`, or `off`. */
const endpoint = z.string().refine((value) => value === 'off' || readEndpoint(value) !== undefined, {
  error: 'must be address:port, such as 127.0.0.1:10040, or off',
})

/** Settings of the gateway: the process that mail servers ask while they receive and send mail. */
export const gatewaySettings = {
  MAIL_GATEWAY: flag(false).describe(
    'Start the mail gateway together with the server, as a process of its own',
  ),
  MAIL_GATEWAY_POLICY: endpoint
    .default('127.0.0.1:10040')
    .describe('Address and port for `check_policy_service` of Postfix; `off` disables it'),
  MAIL_GATEWAY_MILTER: endpoint
    .default('off')
    .describe(
      'Address and port for `smtpd_milters` of Postfix, such as 127.0.0.1:10041. Set it only if Postfix uses it: lists then wait for the milter to check DKIM',
    ),
  MAIL_GATEWAY_SOCKETMAP: endpoint
    .default('127.0.0.1:10042')
    .describe('Address and port for tables of type `socketmap` of Postfix; `off` disables it'),
  MAIL_GATEWAY_LMTP: endpoint
    .default('off')
    .describe(
      'Address and port for `virtual_transport` of Postfix, such as 127.0.0.1:10043. The gateway then filters mail for each recipient on its way to the mail store; the milter no longer marks external senders',
    ),
  MAIL_GATEWAY_LMTP_STORE: endpoint
    .default('off')
    .describe(
      'Address and port of the LMTP service of the mail store, to which `MAIL_GATEWAY_LMTP` delivers',
    ),
  MAIL_GATEWAY_TRUSTED_SEALERS: hostNames
    .default([])
    .describe(
      'Domains of forwarders and mailing lists whose ARC seals are believed if a message fails DMARC, such as `lists.example.org`',
    ),
  MAIL_GATEWAY_BUDGET: count(20, 1, 90).describe(
    'Seconds that the mail server waits for a decision. Must be less than its own timeout, which is 100 by default',
  ),
  MAIL_GATEWAY_METRICS: endpoint
    .default('off')
    .describe(
      'Address and port at which the gateway serves its metrics over HTTP, such as 127.0.0.1:10049. Anyone who can connect can read them',
    ),
  MAIL_GATEWAY_LOG: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File in which Postfix on this host logs, such as /var/log/mail.log. If set, “Where is my mail?” shows deliveries',
    ),
  MAIL_GATEWAY_POSTFIX: z
    .string()
    .startsWith('/')
    .optional()
    .describe(
      'Configuration folder of Postfix on this host, such as /etc/postfix. If set, the gateway carries out what people decide about held mail with `postsuper`, so it must run as root',
    ),
  MAIL_GATEWAY_FAIL_OPEN: list
    .pipe(z.array(z.enum(policies)))
    .default(['greylist', 'sender', 'external'])
    .describe(
      'Policies without which mail is accepted if they fail. If another one fails, the sending server has to try again later',
    ),
}

const parsedSettings = z.object(gatewaySettings)

export type GatewaySettings = z.infer<typeof parsedSettings>

/** A filter needs a store to deliver to. */
export function gatewaySettingsProblem(config: GatewaySettings): string | undefined {
  return config.MAIL_GATEWAY_LMTP !== 'off' && config.MAIL_GATEWAY_LMTP_STORE === 'off'
    ? 'MAIL_GATEWAY_LMTP needs MAIL_GATEWAY_LMTP_STORE, the address of the mail store'
    : undefined
}

/** Reads `address:port` or `[address]:port`; undefined for anything else. */
export function readEndpoint(value: string): Extract<Endpoint, { readonly port: number }> | undefined {
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(value) ?? []
  const host = bracketed ?? plain
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) }
}
