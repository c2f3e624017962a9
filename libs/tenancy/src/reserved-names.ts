import type { Settings } from '#kernel';

/**
 * First labels of host names below `BASE_DOMAIN` that no tenant gets: names that mail, certificates and people expect to belong to the server
 * itself (RFC 2142 and what hosting services commonly reserve).
 */
const reservedLabels: ReadonlySet<string> = new Set([
  'abuse', 'account', 'accounts', 'admin', 'administrator', 'agenda', 'api', 'app', 'assets', 'auth', 'autoconfig', 'autodiscover', 'billing',
  'blog', 'cdn', 'dns', 'docs', 'email', 'ftp', 'guichet', 'health', 'help', 'host', 'hostmaster', 'imap', 'info', 'localhost', 'login', 'mail',
  'meta', 'metrics', 'monitor', 'mx', 'news', 'ns', 'ns1', 'ns2', 'ns3', 'oauth', 'pay', 'payment', 'pop', 'pop3', 'postmaster', 'root', 'security',
  'server', 'sftp', 'shop', 'signin', 'smtp', 'ssh', 'ssl', 'static', 'status', 'support', 'system', 'test', 'tls', 'usenet', 'vpn', 'webhook',
  'webhooks', 'webmail', 'webmaster', 'wpad', 'ws', 'www',
]); // prettier-ignore

/** Whether a sub-domain belongs to the server itself, the configured one of the first Meta included. */
export function isReservedName(label: string, { metaSubdomain }: Pick<Settings, 'metaSubdomain'>): boolean {
  const name = label.trim().toLowerCase();
  return reservedLabels.has(name) || name === metaSubdomain || name.startsWith('_');
}
