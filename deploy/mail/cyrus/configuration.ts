import { dirname, join } from 'node:path'
import { type CyrusDescription, cyrusPaths } from './cyrus-description.ts'

const extensions =
  'fileinto reject envelope body vacation imap4flags include regex subaddress relational copy date mailbox index variables'

/** Returns the contents of `imapd.conf`. */
export function imapdConf(description: CyrusDescription): string {
  const { folder, hostname, admin, authSocket, relay, isDisposable } = description
  const paths = cyrusPaths(folder)
  const settings: Record<string, string> = {
    servername: hostname,
    configdirectory: join(folder, 'conf'),
    defaultpartition: 'default',
    'partition-default': join(folder, 'spool'),
    sievedir: join(folder, 'sieve'),
    proc_path: paths.sessions,
    mboxname_lockpath: join(folder, 'run/lock'),
    idlesocket: join(folder, 'run/socket/idle'),
    admins: admin.name,
    // the admin acts for users when it sets subscriptions and scripts
    proxyservers: admin.name,
    // the admin's password is in a file, so that provisioning doesn't depend on the portal's own sign-in
    sasl_pwcheck_method: 'auxprop saslauthd',
    sasl_auxprop_plugin: 'sasldb',
    sasl_sasldb_path: paths.passwords,
    sasl_saslauthd_path: authSocket,
    sasl_mech_list: 'PLAIN LOGIN',
    allowplaintext: 'yes',
    failedloginpause: '0',
    virtdomains: 'userid',
    // an account's users may be in several domains; access lists decide what they see
    crossdomains: 'yes',
    crossdomains_onlyother: 'yes',
    unixhierarchysep: 'yes',
    altnamespace: 'yes',
    userprefix: 'Other Users',
    sharedprefix: 'Shared Folders',
    hashimapspool: 'yes',
    username_tolower: 'yes',
    // renames users when their address changes
    allowusermoves: 'yes',
    anyoneuseracl: 'yes',
    // mail may be delivered to a new folder, but only its owner reads it
    defaultacl: 'anyone p',
    lmtp_downcase_rcpt: 'yes',
    lmtp_over_quota_perm_failure: 'yes',
    lmtp_fuzzy_mailbox_match: 'yes',
    annotation_allow_undefined: 'yes',
    specialusealways: 'yes',
    'xlist-drafts': 'Drafts',
    'xlist-sent': 'Sent',
    'xlist-trash': 'Trash',
    'xlist-junk': 'Spam',
    'xlist-archive': 'Archive',
    // deleted users and messages can be restored until cyr_expire removes them
    delete_mode: 'delayed',
    expunge_mode: 'delayed',
    conversations: 'yes',
    // restores deleted messages through JMAP, which is reached only with tokens of the portal
    jmap_nonstandard_extensions: 'yes',
    httpmodules: 'caldav carddav freebusy webdav prometheus jmap',
    caldav_allowcalendaradmin: 'yes',
    // the portal handles invitations itself, for all domains
    caldav_allowscheduling: 'off',
    calendar_default_displayname: 'Calendar',
    addressbook_default_displayname: 'Contacts',
    http_jwt_key_dir: dirname(paths.tokenKey),
    http_jwt_max_age: '300',
    anysievefolder: 'yes',
    sieve_utf8fileinto: 'yes',
    sieve_extensions: extensions,
    syslog_prefix: 'cyrus',
    ...(relay !== undefined && { smtp_backend: 'host', smtp_host: `${relay}/noauth` }),
    ...(isDisposable && { skiplist_unsafe: 'yes' }),
  }
  return lines(Object.entries(settings).map(([key, value]) => `${key}: ${value}`))
}

/** Returns the contents of `cyrus.conf`. */
export function cyrusConf({ folder, listen, retentionDays = 30 }: CyrusDescription): string {
  // the master doesn't pass its configuration on: a program without -C would read /etc/imapd.conf
  const program = (name: string, options = '') =>
    `cmd="${[name, '-C', cyrusPaths(folder).configuration, options].filter((part) => part !== '').join(' ')}"`
  const service = (name: string, command: string, address: string, more: string) =>
    `  ${name} ${command} listen="${address}" ${more}`
  return lines([
    'START {',
    `  recover ${program('ctl_cyrusdb', '-r')}`,
    '}',
    'SERVICES {',
    service('imap', program('imapd', '-U 30'), listen.imap, 'prefork=1 maxchild=200'),
    service('http', program('httpd', '-U 30'), listen.http, 'prefork=1 maxchild=100'),
    service('sieve', program('timsieved'), listen.sieve, 'prefork=0 maxchild=20'),
    ...(listen.lmtp === undefined
      ? []
      : [service('lmtp', program('lmtpd', '-a'), listen.lmtp, 'prefork=1 maxchild=20')]),
    '}',
    'EVENTS {',
    `  checkpoint ${program('ctl_cyrusdb', '-c')} period=30`,
    `  expire ${program('cyr_expire', `-E 4 -D ${retentionDays} -X ${retentionDays}`)} at=0401`,
    '}',
    'DAEMON {',
    `  idled ${program('idled')}`,
    '}',
  ])
}

function lines(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`
}
