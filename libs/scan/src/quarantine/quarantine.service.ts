import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { secretFits, TenantDb } from '#tenancy';
import { longestLine } from '../journal/journal-line.js';
import { problem } from '../model/scan.problems.js';

/** The most lines that are kept of one device. */
export const mostQuarantined = 20_000;

const keyStatement = {
  name: 'quarantine-key',
  text: 'select device_id as "deviceId", quarantine_hash as hash from {tenant}.device_key where key_id = $1',
};

/** Keeps the lines of devices whose key was revoked. */
@Injectable()
export class QuarantineService {
  constructor(private readonly db: TenantDb) {}

  /** The device of a quarantine token. @param authorization the header @throws Problem 401 `quarantine.token` */
  async deviceOf(authorization: string | undefined): Promise<string> {
    const refused = problem('quarantine.token', { headers: { 'WWW-Authenticate': 'Bearer' } });
    if (authorization === undefined || authorization.length > 200) throw refused;
    const [, keyId, secret] = /^bearer +gqtn_([0-9A-Za-z]{12})_([A-Za-z0-9_-]{43}) *$/i.exec(authorization) ?? [];
    if (keyId === undefined || secret === undefined) throw refused;
    const [key] = await this.db.statement<{ deviceId: string; hash: Buffer }>(keyStatement, [keyId]);
    if (!secretFits(secret, key?.hash) || !key) throw refused;
    return key.deviceId;
  }

  /**
   * Keeps lines of a device. A repeat adds nothing. Texts that are no line of a journal are left out.
   * @returns how many lines of the request are kept. @throws Problem 409 `quarantine.full`
   */
  async keep(deviceId: string, sent: readonly unknown[]): Promise<number> {
    const lines = sent.filter(isStorable);
    const hashes = lines.map((line) => createHash('sha256').update(line).digest());
    await this.db.transaction(async (tx) => {
      // Uploads of one device are counted one after the other.
      await tx.query('select id from scanning_device where id = $1 for no key update', [deviceId]);
      await tx.query(
        `insert into quarantine_line (device_id, line, line_hash)
         select $1, l.line, l.hash from unnest($2::text[], $3::bytea[]) as l (line, hash) on conflict (device_id, line_hash) do nothing`,
        [deviceId, lines, hashes],
      );
      const count = 'select count(*)::int as kept from quarantine_line where device_id = $1';
      const [row] = await tx.query<{ kept: number }[]>(count, [deviceId]);
      if ((row?.kept ?? 0) > mostQuarantined) throw problem('quarantine.full', { parameters: { mostQuarantined } });
    });
    return lines.length;
  }
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. */
function isStorable(line: unknown): line is string {
  return typeof line === 'string' && line.length <= longestLine && line !== '' && line.isWellFormed() && !line.includes('\u0000');
}
