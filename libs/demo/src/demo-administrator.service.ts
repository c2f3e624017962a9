import { RefusedInput } from '#kernel';
import { UsersService } from '#tenancy';
import { Injectable } from '@nestjs/common';

const email = 'demo@guichet.example';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
}

/** The administrator of all tenants of the demo. */
@Injectable()
export class DemoAdministrator {
  constructor(private readonly users: UsersService) {}

  /** Creates the administrator if necessary. @returns `signIn` only when this call created it: the password is not shown again */
  async ensure(): Promise<{ readonly id: string; readonly signIn?: DemoSignIn }> {
    const existing = await this.users.findByEmail(email);
    if (existing) return { id: existing.id };
    try {
      const made = await this.users.create({ email, name: 'Demo administrator' });
      return { id: made.id, signIn: { email: made.email, password: made.password } };
    } catch (error) {
      // Another server that starts now created it.
      const theirs = error instanceof RefusedInput ? await this.users.findByEmail(email) : null;
      if (theirs) return { id: theirs.id };
      throw error;
    }
  }
}
