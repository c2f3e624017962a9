import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '#kernel';
import { currentTenant, SealedColumnsService } from '#tenancy';

const prefix = 'whsec_';

/** Secrets of endpoints: 256 random bits in the format of Standard Webhooks, stored encrypted with the server secret. */
@Injectable()
export class WebhookSecrets implements OnModuleInit {
  constructor(
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
  ) {}

  onModuleInit(): void {
    const table = 'webhook_endpoint';
    this.sealed.add({ table, column: 'sealed_secret', purpose }, { table, column: 'sealed_previous_secret', purpose });
  }

  /** Creates a secret: as the receiver gets it, and as it is stored. */
  mint(): { secret: string; sealed: Buffer } {
    const key = randomBytes(32);
    return { secret: `${prefix}${key.toString('base64')}`, sealed: this.box.seal(key, purpose()) };
  }

  /** Decrypts the signing key. @throws SecretBoxError when the server secret changed */
  open(sealed: Buffer): Buffer {
    return this.box.open(sealed, purpose());
  }
}

/**
 * The header `webhook-signature` of Standard Webhooks 1.0: for each key `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`,
 * separated by spaces.
 *
 * @param timestamp seconds since 1970
 */
export function signatureOf(keys: readonly Buffer[], id: string, timestamp: number, body: string): string {
  return keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ');
}

function purpose(tenantId = currentTenant().id): string {
  return `webhook secret ${tenantId}`;
}
