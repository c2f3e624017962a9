import type { SecretBox } from '#kernel';
import { currentTenant } from '#tenancy';

/**
 * The columns that programs before tenant version 77 read and write: an account with Stripe. During an upgrade such programs run beside
 * this one, so it writes both, and reads these where the fields are not sealed yet. The file goes with the columns, one release later.
 */
export interface FormerColumns {
  readonly sealedSecretKey: Buffer | null;
  readonly sealedWebhookSecret: Buffer | null;
  readonly delayedMethods: boolean;
}

const purposeOf = (use: 'secret key' | 'webhook secret', tenantId = currentTenant().id): string =>
  `payment account stripe ${use} ${tenantId}`;

const table = 'payment_account';

export const formerSealedColumns = [
  { table, column: 'sealed_secret_key', purpose: (tenantId: string): string => purposeOf('secret key', tenantId) },
  { table, column: 'sealed_webhook_secret', purpose: (tenantId: string): string => purposeOf('webhook secret', tenantId) },
];

/** @throws SecretBoxError when the server secret changed */
export function fieldsOfFormer(box: SecretBox, row: FormerColumns): Record<string, string> {
  const open = (sealed: Buffer | null, purpose: string): string => box.open(sealed ?? Buffer.of(), purpose).toString();
  return {
    secretKey: open(row.sealedSecretKey, purposeOf('secret key')),
    webhookSecret: open(row.sealedWebhookSecret, purposeOf('webhook secret')),
    delayedMethods: row.delayedMethods ? 'yes' : 'no',
  };
}

/** Empty for other providers, which older programs do not know. */
export function formerOf(box: SecretBox, provider: string, fields: Readonly<Record<string, string>>): FormerColumns {
  if (provider !== 'stripe') return { sealedSecretKey: null, sealedWebhookSecret: null, delayedMethods: false };
  return {
    sealedSecretKey: box.seal(Buffer.from(fields['secretKey'] ?? ''), purposeOf('secret key')),
    sealedWebhookSecret: box.seal(Buffer.from(fields['webhookSecret'] ?? ''), purposeOf('webhook secret')),
    delayedMethods: fields['delayedMethods'] === 'yes',
  };
}
