import { createCipheriv, hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SigningKeysService } from '#tickets';
import { FairLimit, pauses, TenantCache } from '#kernel';
import { TenantDb } from '#tenancy';
import { limits } from '../limits.js';
import { packBusy } from '../model/scan.problems.js';
import { holdersStatement } from './names.statement.js';
import { PackSaltService, ticketHash, type PackSalt } from '../pack-data/pack-salt.service.js';

type Holder = readonly [id: string, keyId: number, codeVersion: number, first: string, last: string];

const nothing = Buffer.alloc(12);

/**
 * Seals the names of tickets so that only the code of a ticket opens its name: what lies on a lost phone is of no use without the tickets.
 */
@Injectable()
export class SealedNamesService {
  /** Sealing takes a signature: a list of 10,000 tickets half a second, in slices. */
  private readonly turns = new FairLimit({ ...limits.sealedNames.turns, refuse: packBusy });
  private readonly sealed = new TenantCache<string>(limits.keptSealedNames.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeysService,
    private readonly salts: PackSaltService,
  ) {}

  /**
   * The sealed names of an event's tickets as base64url, by the base64url of their hashes.
   * @param since null: of all tickets; else of those that transactions from this number on wrote
   * @throws Problem 429 `pack.busy`
   */
  of(eventId: string, since: string | null, salt: PackSalt): Promise<ReadonlyMap<string, string>> {
    return this.turns.run(async () => {
      const [row] = await this.db.statement<{ lines: string }>(holdersStatement, [eventId, since]);
      const sealed = new Map<string, string>();
      const pause = pauses();
      for (const line of linesOf(row?.lines ?? '')) {
        await pause();
        const holder = JSON.parse(line) as Holder;
        if (holder[3] === '' && holder[4] === '') continue;
        sealed.set(ticketHash(salt.bytes, holder[0]).toString('base64url'), await this.seal(line, holder, salt.bytes));
      }
      return sealed;
    });
  }

  private async seal(line: string, [id, keyId, codeVersion, first, last]: Holder, salt: Buffer): Promise<string> {
    const known = this.sealed.get(line);
    if (known !== undefined) return known;
    const name = JSON.stringify([first, last]);
    const code = await this.signingKeys.codeOf({ id, signingKeyId: keyId, codeVersion });
    const signature = Buffer.from(code.slice(code.indexOf(':') + 1), 'base64url');
    const nonce = this.salts.nonceOf(id, name);
    const key = Buffer.from(hkdfSync('sha256', signature, salt, Buffer.concat([Buffer.from('name'), nonce]), 32));
    // The key is of this name alone, so the nonce of the cipher may be constant.
    const cipher = createCipheriv('aes-256-gcm', key, nothing);
    const body = Buffer.concat([nonce, cipher.update(name, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([body, cipher.getAuthTag()]).toString('base64url');
    this.sealed.set(line, sealed);
    return sealed;
  }
}

/** Lines of a text, one at a time: splitting a long text at once would block the event loop. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield text.slice(from, to);
    from = to + 1;
  }
}
