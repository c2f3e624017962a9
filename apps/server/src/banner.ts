import type { Settings } from '#kernel';
import type { RunningServer } from './start-server.js';

/** The output after a start: addresses, and the accounts that this start created. */
export function describeStart(settings: Settings, server: RunningServer, milliseconds: number): string {
  // On localhost with PORT=0 the port is only known after listening.
  const suffix = settings.publicPortSuffix || (settings.baseDomain === 'localhost' ? `:${server.port}` : '');
  const site = (host: string): string => `${settings.publicScheme}://${host}${suffix}/`;
  const panel = (host: string): string => `${site(host)}admin`;
  const { superUser } = server.installation;
  const lines = [`Guichet is ready (${(milliseconds / 1000).toFixed(1)} s).`, ''];
  if (server.demo) {
    const { host, page } = server.demo;
    lines.push(`  Demo agenda  ${site(host)}`, ...(page ? [`  Buy a ticket ${site(host)}${page.slice(1)}`] : []));
    lines.push(`  Demo venue   ${panel(host)}`);
  }
  const meta = site(`${settings.metaSubdomain}.${settings.baseDomain}`);
  lines.push(
    `  All venues   ${meta}`,
    ...(settings.tenantForm === 'open' ? [`  New venue    ${meta}tenant/new/`] : []),
    `  Root         ${panel(settings.baseDomain)}`,
    `  Health       ${settings.publicScheme}://${settings.baseDomain}${suffix}/ready`,
    ...(settings.smtpUrl ? [] : [`  Mail         files in ${settings.mailFolder} (no SMTP_URL)`]),
    '',
  );
  if (server.demo?.signIn) lines.push(`  Demo sign-in   ${server.demo.signIn.email}   ${server.demo.signIn.password}`);
  if (superUser) lines.push(`  Super-user     ${superUser.email}   ${superUser.password}`);
  if (superUser || server.demo?.signIn) lines.push('  These passwords are shown only now.', '');
  else lines.push('  A password was lost? npm run -s guichet -- user password --email <address>', '');
  return lines.join('\n');
}
