import { RefusedInput, RefusedInputs, refuseUnfitText, isVisible } from '#kernel';
import { TenantDb, UserHistoryService, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { isBIC, isIBAN } from 'class-validator';
import { leastTransferDays, longestHolder, longestTransferDays } from '../bounds.js';
import { texts } from '../locales/transfers.texts.js';
import { TransferAccount } from './transfer-account.entity.js';

/** The account as staff write it. */
export interface TransferAccountInput {
  readonly iban: string;
  readonly bic: string;
  readonly holder: string;
  readonly days: number;
  readonly offered: boolean;
}

/** An IBAN or a BIC as it is stored: in capitals, without spaces. */
export const compactIban = (text: string): string => text.replaceAll(/[\s.-]/g, '').toUpperCase();

/** An IBAN in groups of four, as people read it. */
export const ibanWords = (iban: string): string => iban.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** The account of the current tenant that buyers transfer money to. */
@Injectable()
export class TransferAccountService {
  constructor(
    private readonly db: TenantDb,
    private readonly history: UserHistoryService,
  ) {}

  /** @returns null: the venue takes no transfers */
  read(): Promise<TransferAccount | null> {
    return this.db.transaction(readAccount);
  }

  /** Stores the account. @throws RefusedInputs with every fault, on the names of the members */
  async save(input: TransferAccountInput): Promise<void> {
    const account = checkedAccount(input);
    await this.db.transaction(async (tx) => {
      await tx.query(
        `insert into transfer_account (id, iban, bic, holder, days, offered) values (1, $1, $2, $3, $4, $5)
         on conflict (id) do update set iban = $1, bic = $2, holder = $3, days = $4, offered = $5`,
        [account.iban, account.bic, account.holder, account.days, account.offered],
      );
      await this.history.tellDirectors(tx, 'payment_account_changed');
    });
  }
}

/** The account inside a transaction. @returns null: there is none */
export const readAccount = (tx: Tx): Promise<TransferAccount | null> => tx.findOneBy(TransferAccount, { id: 1 });

function checkedAccount({ iban, bic, holder, days, offered }: TransferAccountInput): TransferAccountInput {
  const faults: RefusedInput[] = [];
  const account = { iban: compactIban(iban), bic: compactIban(bic), holder: holder.replaceAll(/\s+/g, ' ').trim(), days, offered };
  if (!isIBAN(account.iban)) faults.push(new RefusedInput('iban', texts.localized('account.iban')));
  if (account.bic !== '' && !isBIC(account.bic)) faults.push(new RefusedInput('bic', texts.localized('account.bic')));
  try {
    refuseUnfitText('holder', account.holder, longestHolder);
    if (!isVisible(account.holder)) faults.push(new RefusedInput('holder', texts.localized('account.holder')));
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    faults.push(error);
  }
  const isFit = Number.isInteger(days) && days >= leastTransferDays && days <= longestTransferDays;
  const between = { least: leastTransferDays, most: longestTransferDays };
  if (!isFit) faults.push(new RefusedInput('days', texts.localized('account.days', between)));
  if (faults.length > 0) throw new RefusedInputs(faults);
  return account;
}
