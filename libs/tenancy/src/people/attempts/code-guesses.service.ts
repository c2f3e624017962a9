import { Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { codeGuess, codeGuessMinutes, codeOwner, type CodeGuesser } from './sign-in-limits.js';
import { SignInAttemptsService } from './sign-in-attempts.service.js';

/**
 * Limits how many discount codes that do not exist somebody tries. There is no limit for the whole tenant: anybody could reach it, and so
 * switch off the codes of all others.
 */
@Injectable()
export class CodeGuessesService {
  constructor(private readonly attempts: SignInAttemptsService) {}

  /**
   * Counts a code that does not exist. One that exists is never counted, so that many buyers behind one network can use it at once. While
   * the guesser is locked, neither is told whether it exists.
   * @returns seconds to wait when too many were tried
   */
  async waitOf(guesser: CodeGuesser, exists: boolean): Promise<number> {
    const { id } = currentTenant();
    const subjects = [codeGuess(id, guesser)];
    return exists ? this.attempts.lockedFor(subjects) : this.attempts.count(codeOwner(id), subjects, codeGuessMinutes);
  }
}
