import { join } from 'node:path'
import { type AddressSource, type PostfixDescription, postfixPaths } from './postfix-description.ts'

const queries = {
  domains: "SELECT namespace FROM mail.domains WHERE namespace = '%s'",
  mailboxes: "SELECT email FROM mail.mailboxes WHERE email = '%s'",
  aliases: "SELECT destination FROM mail.aliases WHERE source = '%s'",
  senders: "SELECT login FROM mail.sender_logins WHERE sender = '%s'",
} as const

type TableName = keyof typeof queries

/** Returns the contents of `main.cf`. */
export function mainCf(description: PostfixDescription): string {
  const { folder, hostname, delivery, relay, addresses, policy, milter } = description
  const paths = postfixPaths(folder)
  const table = (name: TableName) => tableReference(folder, addresses, name)
  const askPolicy = `check_policy_service inet:${policy}`
  const settings: Record<string, string> = {
    compatibility_level: '3.6',
    queue_directory: paths.queue,
    data_directory: paths.data,
    command_directory: '/usr/sbin',
    daemon_directory: '/usr/lib/postfix/sbin',
    mail_owner: 'postfix',
    setgid_group: 'postdrop',
    maillog_file: paths.log,
    maillog_file_prefixes: folder,
    myhostname: hostname,
    myorigin: '$myhostname',
    mydestination: '',
    local_recipient_maps: '',
    alias_maps: '',
    mynetworks: '',
    inet_interfaces: 'all',
    inet_protocols: 'ipv4',
    smtputf8_enable: 'yes',
    biff: 'no',
    append_dot_mydomain: 'no',
    recipient_delimiter: '+',
    message_size_limit: '52428800',
    virtual_mailbox_domains: table('domains'),
    virtual_mailbox_maps: table('mailboxes'),
    virtual_alias_maps: table('aliases'),
    virtual_transport: `lmtp:inet:${delivery}`,
    lmtp_destination_recipient_limit: '50',
    // the portal knows the recipient, so the store is about to create the mailbox
    lmtp_delivery_status_filter: `regexp:${deliveryStatusFile(folder)}`,
    minimal_backoff_time: '30s',
    queue_run_delay: '30s',
    ...outgoing(relay),
    smtpd_sender_login_maps: table('senders'),
    smtpd_sasl_auth_enable: 'yes',
    smtpd_sasl_type: 'cyrus',
    smtpd_sasl_path: 'smtpd',
    smtpd_sasl_security_options: 'noanonymous',
    smtpd_tls_security_level: 'none',
    smtpd_helo_required: 'yes',
    disable_vrfy_command: 'yes',
    smtpd_relay_restrictions: 'reject_unauth_destination',
    smtpd_sender_restrictions:
      'reject_non_fqdn_sender, reject_unlisted_sender, reject_unauthenticated_sender_login_mismatch',
    smtpd_recipient_restrictions: `reject_non_fqdn_recipient, reject_unauth_destination, ${askPolicy}, reject_unlisted_recipient`,
    smtpd_data_restrictions: `reject_unauth_pipelining, ${askPolicy}`,
    smtpd_policy_service_default_action: '451 4.3.5 Policy service unavailable',
    // of the services in master.cf for users; the policy decides under which addresses they may send
    user_sender_restrictions: 'reject_non_fqdn_sender, permit_sasl_authenticated, reject',
    user_recipient_restrictions: `reject_non_fqdn_recipient, ${askPolicy}, reject_unlisted_recipient, permit_sasl_authenticated, reject`,
    user_data_restrictions: askPolicy,
    smtpd_milters: `inet:${milter}`,
    milter_default_action: 'tempfail',
    milter_protocol: '6',
    milter_mail_macros: 'i {mail_addr} {client_addr} {client_name} {auth_authen}',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')
}

/** Returns the files of tables in the database, by path. They contain its password. */
export function tableFiles({
  folder,
  addresses,
}: Pick<PostfixDescription, 'folder' | 'addresses'>): ReadonlyMap<string, string> {
  if (addresses.kind === 'socketmap') return new Map()
  // Postfix knows no other scheme
  const url = addresses.url.replace(/^postgres:/, 'postgresql:')
  const names = Object.keys(queries) as TableName[] // keys of a literal
  return new Map(
    names.map((name) => [
      tableFile(folder, name),
      // required by the format, but the URL has them
      `hosts = ${url}\nuser = -\npassword = -\ndbname = -\nquery = ${queries[name]}\n`,
    ]),
  )
}

/** Path of the table that turns `no such mailbox` of the mail store into a temporary failure. */
export function deliveryStatusFile(folder: string): string {
  return join(postfixPaths(folder).configuration, 'delivery-status.regexp')
}

export const deliveryStatus = '/^5(\\.1\\.1 .*)/ 4$1\n'

function tableReference(folder: string, addresses: AddressSource, name: TableName): string {
  return addresses.kind === 'socketmap'
    ? `socketmap:inet:${addresses.endpoint}:${name}`
    : `pgsql:${tableFile(folder, name)}`
}

function tableFile(folder: string, name: TableName): string {
  return join(postfixPaths(folder).configuration, `${name}.cf`)
}

function outgoing(relay: string | undefined): Record<string, string> {
  if (relay === undefined) {
    // not `error` itself, which would make smtpd refuse mail from senders of other hosts
    return { default_transport: 'undeliverable:5.4.4 this installation sends no mail to other hosts' }
  }
  const [host = '', port = '25'] = relay.split(':')
  return { relayhost: `[${host}]:${port}`, smtp_dns_support_level: 'disabled' }
}
