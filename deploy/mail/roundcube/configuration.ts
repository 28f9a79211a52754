import { join } from 'node:path'
import { type RoundcubeDescription, roundcubePaths } from './roundcube-description.ts'

/** Returns the contents of `config.inc.php`. */
export function roundcubeConfiguration(description: RoundcubeDescription): string {
  const { folder, name, portalUrl, client, sessionKey, store, submission } = description
  const { database, home } = roundcubePaths(folder)
  const settings: Record<string, PhpValue> = {
    db_dsnw: `sqlite:///${database}?mode=0640`,
    product_name: name,
    des_key: sessionKey,
    imap_host: store.imap,
    smtp_host: submission,
    smtp_user: '%u',
    smtp_pass: '%p',
    managesieve_host: store.sieve,
    plugins: ['gatehouse_mail', 'managesieve', 'archive', 'markasjunk', 'zipdownload'],
    request_path: '/webmail/',
    temp_dir: join(home, 'temp'),
    log_dir: join(home, 'logs'),
    // Cyrus returns folders for special use
    lock_special_folders: false,
    create_default_folders: false,
    drafts_mbox: 'Drafts',
    sent_mbox: 'Sent',
    trash_mbox: 'Trash',
    junk_mbox: 'Spam',
    oauth_provider: 'generic',
    oauth_provider_name: name,
    oauth_client_id: client.id,
    oauth_client_secret: client.secret,
    oauth_auth_uri: `${portalUrl}/oauth/authorize`,
    oauth_token_uri: `${portalUrl}/oauth/token`,
    oauth_identity_uri: `${portalUrl}/oauth/userinfo`,
    oauth_scope: 'openid email auth.token',
    oauth_identity_fields: ['email'],
    oauth_login_redirect: true,
    // people change their address in the portal, and tokens belong to one
    identities_level: 1,
    enable_installer: false,
  }
  const lines = Object.entries(settings).map(([key, value]) => `$config['${key}'] = ${php(value)};\n`)
  return `<?php\n$config = [];\n${lines.join('')}`
}

/** Returns the configuration of php-fpm: one pool of few processes, which ends them when nobody uses the webmail. */
export function phpConfiguration({ folder }: RoundcubeDescription): string {
  const { phpSocket, log } = roundcubePaths(folder)
  return `[global]
error_log = ${log}
daemonize = no
[webmail]
user = www-data
group = www-data
listen = ${phpSocket}
listen.owner = www-data
listen.group = www-data
pm = ondemand
pm.max_children = 8
pm.process_idle_timeout = 60s
catch_workers_output = yes
php_admin_value[session.save_path] = ${join(folder, 'data')}
php_admin_value[upload_max_filesize] = 50M
php_admin_value[post_max_size] = 55M
`
}

type PhpValue = string | boolean | number | readonly string[]

function php(value: PhpValue): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(php).join(', ')}]`
  return String(value)
}
