import { join } from 'node:path'
import { type NginxDescription, nginxPaths } from './nginx-description.ts'

const modules = '/usr/lib/nginx/modules'

/** Returns the contents of `nginx.conf`. */
export function nginxConf(description: NginxDescription): string {
  const { folder } = description
  const { pidFile, log } = nginxPaths(folder)
  return `load_module ${modules}/ngx_mail_module.so;
load_module ${modules}/ngx_stream_module.so;
user www-data;
worker_processes 1;
pid ${pidFile};
error_log ${log} warn;
events { worker_connections 1024; }
${mailBlock(description)}
${streamBlock(description)}
${httpBlock(description)}
`
}

/** The portal decides about each sign-in, and gets the client's address with it. */
function mailBlock({ hostname, listen, certificate, portal }: NginxDescription): string {
  return `
mail {
  server_name ${hostname};
  auth_http ${portal.address}/api/webhooks/nginx;
  auth_http_header X-Services-Secret "${portal.secret}";
  # more than MAIL_CONFIRM_WAIT
  auth_http_timeout 60s;
  proxy_pass_error_message on;
  ssl_certificate ${certificate.certificate};
  ssl_certificate_key ${certificate.key};
  imap_auth plain login;
  imap_capabilities "IMAP4rev1" "LITERAL+" "UIDPLUS" "IDLE" "NAMESPACE" "ACL" "QUOTA" "SPECIAL-USE" "MOVE" "SORT" "THREAD=REFERENCES";
  smtp_auth plain login;
  smtp_capabilities "SIZE 52428800" "8BITMIME" "SMTPUTF8" "ENHANCEDSTATUSCODES" "DSN";
  proxy_smtp_auth on;
  xclient off;
  server { listen ${listen.imap}; protocol imap; starttls on; }
  server { listen ${listen.imaps} ssl; protocol imap; }
  # Postfix learns the client's address by the PROXY protocol
  server { listen ${listen.submission}; protocol smtp; starttls on; proxy_protocol on; }
  server { listen ${listen.submissions} ssl; protocol smtp; proxy_protocol on; }
}`
}

function streamBlock({ listen, store }: NginxDescription): string {
  return `
stream {
  server { listen ${listen.sieve}; proxy_pass ${store.sieve}; }
}`
}

function httpBlock(description: NginxDescription): string {
  const { folder, hostname, listen, certificate, portal, store } = description
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  return `
http {
  access_log off;
  include /etc/nginx/mime.types;
  server_tokens off;
  client_max_body_size 60m;
${temporary}
  server {
    listen ${listen.http};
    listen ${listen.https} ssl;
    server_name ${hostname} localhost;
    ssl_certificate ${certificate.certificate};
    ssl_certificate_key ${certificate.key};
    location = /.well-known/caldav { return 301 /dav/calendars/; }
    location = /.well-known/carddav { return 301 /dav/addressbooks/; }
${davLocation('/dav/', store.http, 'dav')}
${davLocation('~* ^/dav/drive(/|$)', store.http, 'files')}
${authLocation(portal, 'dav')}
${authLocation(portal, 'files')}${webmailLocations(description)}
  }
}`
}

/** nginx compares the path after decoding it. */
function davLocation(path: string, store: string, service: 'dav' | 'files'): string {
  return `    location ${path} {
      auth_request /gatehouse-auth-${service};
      proxy_pass http://${store};
      proxy_set_header Host $http_host;
    }`
}

function authLocation({ address, secret }: NginxDescription['portal'], service: 'dav' | 'files'): string {
  return `    location = /gatehouse-auth-${service} {
      internal;
      proxy_pass http://${address}/api/webhooks/nginx-httpauth;
      proxy_pass_request_body off;
      # otherwise headers of the client would reach the portal as if nginx had set them
      proxy_pass_request_headers off;
      proxy_set_header Authorization $http_authorization;
      proxy_set_header Auth-Protocol ${service};
      proxy_set_header X-Services-Secret "${secret}";
      proxy_set_header X-Real-Ip $remote_addr;
    }`
}

/** Debian's own list has a host name without the port, but the webmail needs its complete address. */
const fastcgiParameters = [
  ['SCRIPT_FILENAME', '$document_root$fastcgi_script_name'],
  ['SCRIPT_NAME', '$fastcgi_script_name'],
  ['PATH_INFO', '$fastcgi_path_info'],
  ['QUERY_STRING', '$query_string'],
  ['REQUEST_METHOD', '$request_method'],
  ['REQUEST_URI', '$request_uri'],
  ['CONTENT_TYPE', '$content_type'],
  ['CONTENT_LENGTH', '$content_length'],
  ['DOCUMENT_ROOT', '$document_root'],
  ['SERVER_PROTOCOL', '$server_protocol'],
  ['REQUEST_SCHEME', '$scheme'],
  ['HTTPS', '$https if_not_empty'],
  ['GATEWAY_INTERFACE', 'CGI/1.1'],
  ['REMOTE_ADDR', '$remote_addr'],
  ['REMOTE_PORT', '$remote_port'],
  ['SERVER_ADDR', '$server_addr'],
  ['SERVER_PORT', '$server_port'],
  ['SERVER_NAME', '$server_name'],
  ['HTTP_HOST', '$host:$server_port'],
  ['REDIRECT_STATUS', '200'],
] as const

function webmailLocations({ webmail }: NginxDescription): string {
  if (webmail === undefined) return ''
  return `
    root ${webmail.root};
    index index.php;
    location = / { return 302 /webmail/; }
    location = /webmail { return 301 /webmail/; }
    location ~ ^/webmail/index\\.php(/|$) {
      fastcgi_split_path_info ^(/webmail/index\\.php)(/.*)?$;
${fastcgiParameters.map(([name, value]) => `      fastcgi_param ${name} ${value};`).join('\n')}
      fastcgi_pass unix:${webmail.php};
    }
    location ~ \\.php(/|$) { return 404; }`
}
