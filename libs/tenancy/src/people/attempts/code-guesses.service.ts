import { Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { codeGuesses, codeOwner } from './sign-in-limits.js';
import { SignInAttemptsService } from './sign-in-attempts.service.js';

/** Limits how many discount codes of a tenant are tried, like passwords: for each network, and for the tenant. */
@Injectable()
export class CodeGuessesService {
  constructor(private readonly attempts: SignInAttemptsService) {}

  /**
   * Counts an attempt, and takes it back when it finds a code.
   * @param client IP address
   * @param find returns undefined for a code that does not exist
   * @returns seconds to wait when too many were tried; otherwise what `find` returns
   */
  async guess<Found>(client: string, find: () => Promise<Found | undefined>): Promise<{ readonly wait: number } | Found | undefined> {
    const { id } = currentTenant();
    const subjects = codeGuesses(id, client);
    const wait = await this.attempts.count(codeOwner(id), subjects);
    if (wait > 0) return { wait };
    const found = await find();
    if (found !== undefined) await this.attempts.takeBack(subjects);
    return found;
  }
}
