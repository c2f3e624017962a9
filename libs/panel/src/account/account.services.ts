import {
  FactorResetsService,
  OwnAccountService,
  PasskeysService,
  ProofsService,
  SecondFactorService,
  SessionsService,
  UsersService,
} from '#tenancy';
import { Injectable } from '@nestjs/common';

/** The services of *My account*. */
@Injectable()
export class AccountServices {
  constructor(
    readonly account: OwnAccountService,
    readonly users: UsersService,
    readonly sessions: SessionsService,
    readonly factor: SecondFactorService,
    readonly passkeys: PasskeysService,
    readonly proofs: ProofsService,
    readonly resets: FactorResetsService,
  ) {}
}
