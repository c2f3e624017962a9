import { randomInt } from 'node:crypto';
import { SignedLinks } from '#kernel';
import { Injectable } from '@nestjs/common';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';

const recoveryCodes = 10;

/** SQL: whether a user has a second factor, codes of an app or a passkey. @param id SQL of the user's id */
export const hasFactorSql = (id: string): string =>
  `(exists (select 1 from shared.second_factor f where f.user_id = ${id} and f.confirmed_at is not null)
    or exists (select 1 from shared.passkey k where k.user_id = ${id}))`;

/** Codes that let somebody in who lost the second factor. People have them while they have one. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly db: TenantDb,
    private readonly links: SignedLinks,
  ) {}

  /** Replaces the codes of a user. @returns the new ones, which cannot be read again */
  async replace(tx: Tx, userId: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodes }, inventCode);
    await tx.query('delete from shared.recovery_code where user_id = $1', [userId]);
    const hashes = codes.map((one) => this.hashOf(userId, one));
    await tx.query('insert into shared.recovery_code (user_id, code_hash) select $1, unnest($2::text[])', [userId, hashes]);
    return codes;
  }

  /** Uses a code. Of concurrent calls one returns true. */
  async use(userId: string, code: string): Promise<boolean> {
    const [, used] = await this.db.shared((tx) =>
      tx.query<[unknown[], number]>('delete from shared.recovery_code where user_id = $1 and code_hash = $2', [
        userId,
        this.hashOf(userId, code),
      ]),
    );
    return used === 1;
  }

  /** Deletes the codes of a user without a second factor. */
  async dropUnneeded(tx: Tx, userId: string): Promise<void> {
    const [row] = await tx.query<{ needed: boolean }[]>(`select ${hasFactorSql('$1')} as needed`, [userId]);
    if (row?.needed === false) await tx.query('delete from shared.recovery_code where user_id = $1', [userId]);
  }

  private hashOf(userId: string, code: string): string {
    return this.links.markOf(`recovery code:${userId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
  }
}

/** A code of 59 random bits: three groups of four characters, without characters that are easily confused. */
function inventCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group()].join('-');
}
