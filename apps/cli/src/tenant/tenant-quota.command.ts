import type { Command } from 'commander';
import { quotaKinds, QuotasService, type QuotaKind } from '#tenancy';
import { UsageError } from '../terminal/failure.js';
import { documented, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

type Options = Partial<Readonly<Record<QuotaKind, string>>> & { readonly json?: boolean };

/** `tenant quota`. */
export function tenantQuotaCommand(tenant: Command): void {
  documented(
    tenant
      .command('quota')
      .description('Shows the daily quotas of a tenant and their use today, or gives it quotas of its own.')
      .argument('<slug>', 'the tenant')
      .option('--mails <number>', 'mails a day to addresses that never opened one; "default": that of the server')
      .option('--megabytes <number>', 'megabytes stored a day')
      .option('--bookings <number>', 'bookings over the API a day'),
    {
      'tenant quota lune': 'prints a table of quota, use and limit',
      'tenant quota lune --mails 5000': 'the same, after the change',
    },
  ).action(quota);
}

async function quota(slug: string, options: Options): Promise<void> {
  await withSession(async (session) => {
    const { id } = await session.knownTenant(slug);
    const quotas = session.service(QuotasService);
    const given = quotaKinds.flatMap((kind) => (options[kind] === undefined ? [] : [[kind, numberIn(kind, options[kind])] as const]));
    await quotas.change({ id, slug }, Object.fromEntries(given));
    const states = await quotas.of(id);
    const rows = states.map(({ kind, used, limit, isOwn }) => [
      kind,
      String(used),
      limit === undefined ? '-' : String(limit),
      isOwn ? 'yes' : '-',
    ]);
    show(
      options,
      states.map(({ kind, used, limit, isOwn }) => ({ quota: kind, used, limit: limit ?? null, own: isOwn })),
      table(['QUOTA', 'USED TODAY', 'LIMIT', 'OWN'], rows, ''),
    );
  });
}

function numberIn(kind: string, text: string): number | null {
  if (text === 'default') return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${kind}: write a whole number or "default".`);
  return Number(text);
}
