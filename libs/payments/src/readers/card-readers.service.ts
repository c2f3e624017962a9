import { Injectable } from '@nestjs/common';
import { actorColumns, RefusedInput } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { PaymentAccountsService, type OfferedAccount } from '../accounts/payment-accounts.service.js';
import { texts } from '../locales/payments.texts.js';
import { PaymentAccountMissing } from '../providers/payment-errors.js';
import type { NewReader } from '../providers/card-readers.js';
import { CardReader, longestReaderName } from './card-reader.entity.js';

/** SQL: whether a reader asks for a sum. @param readerId SQL of its id */
export const isAskingSql = (readerId: string): string =>
  `exists (select from payment where payment.reader_id = ${readerId} and payment.status = 'pending')`;

/** Most readers of a venue: each is a button at the box office. */
const mostReaders = 10;

/** The card readers of the current tenant. Do not call its methods inside a transaction: they call the provider. */
@Injectable()
export class CardReadersService {
  constructor(
    private readonly db: TenantDb,
    private readonly accounts: PaymentAccountsService,
  ) {}

  /** The accounts that readers can be paired with. */
  accountsForReaders(): Promise<readonly OfferedAccount[]> {
    return this.accounts.offered('readers');
  }

  /** The readers whose account takes payments now, by name. */
  async usable(): Promise<CardReader[]> {
    const offered = new Set((await this.accountsForReaders()).map(({ id }) => id));
    if (offered.size === 0) return [];
    const all = await this.db.transaction((tx) => tx.find(CardReader, { order: { name: 'ASC', id: 'ASC' }, take: mostReaders }));
    return all.filter(({ accountId }) => offered.has(accountId));
  }

  /**
   * Pairs a reader with an account.
   * @returns its id
   * @throws RefusedInput on `code`, `name`; PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable
   */
  async pair(accountId: string, { code: typed, name: typedName, ...where }: NewReader): Promise<string> {
    const code = typed.trim();
    const name = typedName.replaceAll(/\s+/g, ' ').trim();
    if (!/^[A-Za-z0-9-]{4,60}$/.test(code)) throw new RefusedInput('code', texts.localized('readers.codeInvalid'));
    if (name === '' || name.length > longestReaderName) throw new RefusedInput('name', texts.localized('readers.nameInvalid'));
    const offered = (await this.accountsForReaders()).find(({ id }) => id === accountId);
    if (!offered) throw new PaymentAccountMissing();
    const { provider, account } = await this.accounts.of({ provider: offered.provider.name, accountId });
    if (!provider.readers) throw new PaymentAccountMissing();
    if ((await this.db.transaction((tx) => tx.count(CardReader))) >= mostReaders)
      throw new RefusedInput('name', texts.localized('readers.tooMany', { count: mostReaders }));
    const reference = await provider.readers.pair({ code, name, ...where }, account);
    const [byUserId] = actorColumns();
    const { identifiers } = await this.db.transaction((tx) =>
      tx.insert(CardReader, { name, provider: provider.name, accountId, reference, byUserId }),
    );
    return (identifiers[0] as { id: string }).id;
  }

  /**
   * Removes a reader and ends its pairing.
   * @returns false while it asks for a sum
   * @throws PaymentProviderRefused, PaymentProviderUnavailable: it stays
   */
  async remove(id: string): Promise<boolean> {
    const reader = await this.db.transaction((tx) => tx.findOneBy(CardReader, { id }));
    if (!reader) return true;
    // The account may have been deleted: nothing is paired with it any more.
    const open = await this.accounts.of(reader).catch((error: unknown) => {
      if (!(error instanceof PaymentAccountMissing)) throw error;
    });
    if (open && !(await this.db.transaction((tx) => isIdle(tx, id)))) return false;
    await open?.provider.readers?.unpair(reader.reference, open.account);
    return this.db.transaction(async (tx) => {
      if (!(await isIdle(tx, id)) && open) return false;
      await tx.delete(CardReader, { id });
      return true;
    });
  }
}

/** Locks a reader against new payments. @returns whether it has none */
async function isIdle(tx: Tx, id: string): Promise<boolean> {
  await tx.query('select 1 from card_reader where id = $1 for update', [id]);
  // A second statement, because only it sees what the first one waited for.
  const [row] = await tx.query<{ isIdle: boolean }[]>(`select not ${isAskingSql('$1')} as "isIdle"`, [id]);
  return row?.isIdle === true;
}
