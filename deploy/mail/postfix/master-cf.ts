import type { PostfixDescription } from './postfix-description.ts'

/** For mail of users who sign in. */
const forUsers = [
  'syslog_name=postfix/submission',
  'smtpd_sasl_authenticated_header=yes',
  'smtpd_relay_restrictions=permit_sasl_authenticated,reject',
  'smtpd_sender_restrictions=$user_sender_restrictions',
  'smtpd_recipient_restrictions=$user_recipient_restrictions',
  'smtpd_data_restrictions=$user_data_restrictions',
]

const forReinjection = [
  'syslog_name=postfix/reinject',
  'mynetworks=127.0.0.0/8',
  'smtpd_sasl_auth_enable=no',
  'smtpd_helo_required=no',
  'smtpd_relay_restrictions=permit_mynetworks,reject',
  'smtpd_sender_restrictions=',
  'smtpd_recipient_restrictions=permit_mynetworks,reject',
  'smtpd_data_restrictions=',
  'smtpd_milters=',
  'receive_override_options=no_unknown_recipient_checks',
]

/** Services without a port: name, private, wake-up time, limit, program. None runs in a chroot. */
const internal = [
  'pickup unix n 60 1 pickup',
  'cleanup unix n - 0 cleanup',
  'qmgr unix n 300 1 qmgr',
  'tlsmgr unix - 1000? 1 tlsmgr',
  'rewrite unix - - - trivial-rewrite',
  'bounce unix - - 0 bounce',
  'defer unix - - 0 bounce',
  'trace unix - - 0 bounce',
  'verify unix - - 1 verify',
  'flush unix n 1000? 0 flush',
  'proxymap unix - - - proxymap',
  'proxywrite unix - - 1 proxymap',
  'smtp unix - - - smtp',
  'relay unix - - - smtp',
  'showq unix n - - showq',
  'error unix - - - error',
  'retry unix - - - error',
  'undeliverable unix - - - error',
  'discard unix - - - discard',
  'lmtp unix - - - lmtp',
  'anvil unix - - 1 anvil',
  'scache unix - - 1 scache',
  'postlog unix-dgram n - 1 postlogd',
]

/** Returns the contents of `master.cf`. */
export function masterCf({ listen }: PostfixDescription): string {
  const services = [
    // clients of other servers don't sign in, so AUTH isn't offered there
    server(listen.incoming, ['smtpd_discard_ehlo_keywords=auth,chunking,silent-discard']),
    server(listen.submission, [...forUsers, 'smtpd_upstream_proxy_protocol=haproxy']),
    server(listen.webmail, forUsers),
    server(listen.reinjection, forReinjection),
    ...internal.map((line) => {
      const [name, type, isPrivate, wakeUp, limit, program] = line.split(' ')
      return [name, type, isPrivate, '-', 'n', wakeUp, limit, program].join(' ')
    }),
  ]
  return `${services.join('\n')}\n`
}

function server(address: string, options: readonly string[]): string {
  return [`${address} inet n - n - - smtpd`, ...options.map((option) => `    -o ${option}`)].join('\n')
}
