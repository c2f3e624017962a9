import { Injectable } from '@nestjs/common';
import { RefusedInput } from '#kernel';
import { texts } from '../../locales/tenancy.texts.js';
import { guessesOwner, ownGuesses } from '../attempts/sign-in-limits.js';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { UsersService } from '../users/users.service.js';

/** Finds the accounts of people whom somebody adds to a venue. */
@Injectable()
export class AccountLookupService {
  constructor(
    private readonly users: UsersService,
    private readonly attempts: SignInAttemptsService,
  ) {}

  /**
   * The id of the account with an e-mail address. Addresses without an account are limited as wrong passwords are.
   * @param by who asks
   * @throws RefusedInput on `email` when there is none, or `by` tried too many
   */
  async byEmail(email: string, by: string): Promise<string> {
    const subjects = ownGuesses('account', by);
    const seconds = await this.attempts.count(guessesOwner(by), subjects);
    if (seconds > 0) throw new RefusedInput('email', texts.localized('roles.refused.tooManyAccounts', { seconds }));
    const user = await this.users.findByEmail(email);
    if (!user) throw new RefusedInput('email', texts.localized('roles.refused.noAccount'));
    await this.attempts.takeBack(subjects);
    return user.id;
  }
}
