import { MessagesModule } from '#messages';
import { Module } from '@nestjs/common';
import { WalletAccount } from './accounts/wallet-account.entity.js';
import { WalletAccountsService } from './accounts/wallet-accounts.service.js';
import { WalletPassesService } from './passes/wallet-passes.service.js';

export const walletEntities = [WalletAccount];

const shared = [WalletAccountsService, WalletPassesService];

@Module({ imports: [MessagesModule], providers: shared, exports: shared })
export class WalletModule {}
